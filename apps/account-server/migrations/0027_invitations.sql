CREATE TABLE "account"."invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"seat_id" uuid NOT NULL,
	"subscription_id" text NOT NULL,
	"email" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"ended" text,
	CONSTRAINT "invitations_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "account"."invitations" ADD CONSTRAINT "invitations_seat_id_seats_id_fk" FOREIGN KEY ("seat_id") REFERENCES "account"."seats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."invitations" ADD CONSTRAINT "invitations_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "account"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."invitations" ADD CONSTRAINT "invitations_invited_by_members_id_fk" FOREIGN KEY ("invited_by") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitations_of_subscription" ON "account"."invitations" USING btree ("subscription_id","sent_at");--> statement-breakpoint
CREATE INDEX "invitations_of_address" ON "account"."invitations" USING btree ("email","sent_at");--> statement-breakpoint
CREATE INDEX "invitations_open" ON "account"."invitations" USING btree ("seat_id") WHERE "account"."invitations"."ended" is null;
CREATE TABLE "account"."moved_objects" (
	"provider_id" text PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"moved_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."transfer_codes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"member_id" uuid NOT NULL,
	"recipient_id" uuid NOT NULL,
	"email" text NOT NULL,
	"current_hash" text NOT NULL,
	"recipient_hash" text NOT NULL,
	"current_tries_left" integer NOT NULL,
	"recipient_tries_left" integer NOT NULL,
	"offer" jsonb NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "account"."transfers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"member_id" uuid NOT NULL,
	"recipient_id" uuid NOT NULL,
	"subscription_ids" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account"."moved_objects" ADD CONSTRAINT "moved_objects_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "account"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."transfer_codes" ADD CONSTRAINT "transfer_codes_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."transfer_codes" ADD CONSTRAINT "transfer_codes_recipient_id_members_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."transfers" ADD CONSTRAINT "transfers_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."transfers" ADD CONSTRAINT "transfers_recipient_id_members_id_fk" FOREIGN KEY ("recipient_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transfer_codes_of_member" ON "account"."transfer_codes" USING btree ("member_id","sent_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "transfer_codes_sent" ON "account"."transfer_codes" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "transfers_of_member" ON "account"."transfers" USING btree ("member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "transfers_of_recipient" ON "account"."transfers" USING btree ("recipient_id","created_at" DESC NULLS LAST);
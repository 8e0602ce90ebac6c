CREATE TABLE "account"."cancellations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subscription_id" text NOT NULL,
	"member_id" uuid NOT NULL,
	"reasons" integer[] NOT NULL,
	"comment" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."change_quotes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"member_id" uuid NOT NULL,
	"subscription_id" text NOT NULL,
	"asked" jsonb NOT NULL,
	"version" text NOT NULL,
	"items" jsonb NOT NULL,
	"shown" jsonb NOT NULL,
	"proration_date" timestamp with time zone NOT NULL,
	"valid_until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"operation_id" uuid
);
--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "is_canceled_with_parent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "provider_items" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."cancellations" ADD CONSTRAINT "cancellations_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "account"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."cancellations" ADD CONSTRAINT "cancellations_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."change_quotes" ADD CONSTRAINT "change_quotes_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."change_quotes" ADD CONSTRAINT "change_quotes_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "account"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cancellations_of_member" ON "account"."cancellations" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "cancellations_of_subscription" ON "account"."cancellations" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "change_quotes_of_member" ON "account"."change_quotes" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "change_quotes_of_subscription" ON "account"."change_quotes" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "change_quotes_by_age" ON "account"."change_quotes" USING btree ("created_at");
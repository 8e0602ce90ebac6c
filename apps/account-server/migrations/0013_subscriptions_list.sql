ALTER TABLE "account"."products" ADD COLUMN "upgrades" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."products" ADD COLUMN "manage_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "created_at" timestamp with time zone;--> statement-breakpoint
UPDATE "account"."subscriptions" SET "created_at" = "period_start";--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ALTER COLUMN "created_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "term" text;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "price" bigint;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "currency" char(3);--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "storage_capacity" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "connectors" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "parent_id" text;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "is_price_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "manage_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "is_pooled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "provider_id" text;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "commitment_end" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "due_amount" bigint;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "due_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "next_attempt_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "needs_approval" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD CONSTRAINT "subscriptions_parent_id_subscriptions_id_fk" FOREIGN KEY ("parent_id") REFERENCES "account"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscriptions_of_parent" ON "account"."subscriptions" USING btree ("parent_id") WHERE "account"."subscriptions"."parent_id" is not null;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD CONSTRAINT "subscriptions_provider_id_unique" UNIQUE("provider_id");--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD CONSTRAINT "subscriptions_price" CHECK ("account"."subscriptions"."price" is null or "account"."subscriptions"."currency" is not null);
ALTER TABLE "account"."subscriptions" ADD COLUMN "paid_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "paid_by" text;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "pending_approval" jsonb;
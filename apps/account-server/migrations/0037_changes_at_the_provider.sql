ALTER TABLE "account"."subscriptions" ADD COLUMN "pending_change" jsonb;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "last_decline" jsonb;
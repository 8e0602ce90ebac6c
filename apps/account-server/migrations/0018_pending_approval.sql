ALTER TABLE "account"."subscriptions" ADD COLUMN "pending_plan_id" text;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "pending_quantity" integer;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" DROP COLUMN "needs_approval";
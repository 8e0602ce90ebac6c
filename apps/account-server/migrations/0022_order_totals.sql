ALTER TABLE "account"."orders" ADD COLUMN "total" bigint;--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "refund_parts" jsonb DEFAULT '{}'::jsonb NOT NULL;
ALTER TABLE "account"."orders" ADD COLUMN "refunded_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "refunded_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "refund_sync_number" bigint DEFAULT 0 NOT NULL;
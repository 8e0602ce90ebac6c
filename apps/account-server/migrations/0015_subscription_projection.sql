CREATE SEQUENCE "account"."sync_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
ALTER TABLE "account"."products" ADD COLUMN "is_foreign" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "sync_number" bigint DEFAULT 0 NOT NULL;
DROP INDEX "account"."orders_pending_of_subscription";--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "pay_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_unpaid_of_subscription" ON "account"."orders" USING btree ("provider_subscription_id") WHERE "account"."orders"."status" in ('PD', 'OP');
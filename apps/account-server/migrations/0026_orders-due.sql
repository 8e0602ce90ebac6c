ALTER TABLE "account"."orders" ADD COLUMN "provider_subscription_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "is_due" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_pending_of_subscription" ON "account"."orders" USING btree ("provider_subscription_id") WHERE "account"."orders"."status" = 'PD';
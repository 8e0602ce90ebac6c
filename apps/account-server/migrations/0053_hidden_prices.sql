ALTER TABLE "account"."orders" ADD COLUMN "is_price_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "account"."orders" SET "is_price_hidden" = true FROM "account"."subscriptions" WHERE "subscriptions"."provider_id" = "orders"."provider_subscription_id" AND "subscriptions"."is_price_hidden";

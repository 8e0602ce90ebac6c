ALTER TABLE "account"."orders" ADD COLUMN "is_ended" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
UPDATE "account"."orders" SET "is_ended" = true FROM "account"."subscriptions" WHERE "orders"."provider_subscription_id" = "subscriptions"."provider_id" AND "orders"."status" IN ('PD', 'OP') AND "subscriptions"."status" = 'canceled' AND NOT "subscriptions"."is_price_hidden";
--> statement-breakpoint
UPDATE "account"."orders" SET "is_due" = true FROM "account"."subscriptions" WHERE "orders"."provider_subscription_id" = "subscriptions"."provider_id" AND "orders"."status" = 'PD' AND "orders"."pay_url" <> '' AND NOT "orders"."is_of_change" AND "subscriptions"."status" IN ('active', 'trialing') AND NOT "subscriptions"."is_price_hidden";

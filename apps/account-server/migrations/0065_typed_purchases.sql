-- What an address alone made its Owner's, by its customer at the card provider: the purchase itself says so from now on.
UPDATE "account"."subscriptions" AS "subscription" SET "proof" = 'address'
WHERE "subscription"."channel" = 'card' AND "subscription"."customer_id" IS NOT NULL AND "subscription"."proof" IS NULL
  AND NOT EXISTS (SELECT FROM "account"."provider_customers" AS "customer"
    WHERE "customer"."customer_id" = "subscription"."customer_id"
      AND ("customer"."proof" <> 'address' OR "customer"."member_id" <> "subscription"."member_id"));

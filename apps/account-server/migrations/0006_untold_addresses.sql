ALTER TABLE "account"."addresses" ADD COLUMN "is_untold" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "addresses_untold" ON "account"."addresses" USING btree ("id") WHERE "account"."addresses"."is_untold";--> statement-breakpoint
-- What the provider was not told by then is told within the hour.
UPDATE "account"."addresses" SET "is_untold" = true
FROM "account"."provider_customers"
WHERE "provider_customers"."member_id" = "addresses"."member_id"
  AND "addresses"."is_default"
  AND "provider_customers"."customer_id" IS NOT NULL
  AND "provider_customers"."address_print" IS DISTINCT FROM md5(jsonb_build_array("first_name", "last_name", "street",
    "city", "state", "zip", "country")::text);--> statement-breakpoint
ALTER TABLE "account"."provider_customers" DROP COLUMN "address_print";

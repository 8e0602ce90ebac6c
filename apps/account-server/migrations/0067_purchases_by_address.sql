ALTER TABLE "account"."unmatched_purchases" ADD COLUMN "address_subjects" text[];--> statement-breakpoint
CREATE INDEX "unmatched_purchases_of_address" ON "account"."unmatched_purchases" USING gin ("address_subjects");--> statement-breakpoint
-- What PayPal's payers and single invoices have said so far. Of the card provider's subscriptions the next reading says it.
UPDATE "account"."unmatched_purchases"
  SET "address_subjects" = ARRAY[rtrim(translate(encode(sha256(convert_to("email", 'UTF8')), 'base64'), '+/', '-_'), '=')]
  WHERE "reason" = 'no_member' AND "email" <> '';

ALTER TABLE "account"."seats" ADD COLUMN "imported_as" text;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "imported_for" uuid;
CREATE TABLE "account"."terms_less_than_plan" (
	"object_id" text PRIMARY KEY NOT NULL,
	"words" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- What waits since an earlier version has read it.
INSERT INTO "account"."terms_less_than_plan" ("object_id", "words", "read_at")
SELECT "object_id", "less_than_plan", "created_at" FROM "account"."unmatched_purchases"
WHERE "provider" = 'paypal' AND "less_than_plan" <> '' AND "accepted_at" IS NULL AND "reason" = 'price_overridden';

ALTER TABLE "account"."email_devices" ADD COLUMN "token_hash" text;--> statement-breakpoint
ALTER TABLE "account"."key_devices" ADD COLUMN "token_hash" text;--> statement-breakpoint
-- A device's id was its token. What the device has goes on working; the id becomes what the page showed of a key's device.
UPDATE "account"."email_devices" SET "token_hash" = encode(sha256(convert_to("id"::text, 'UTF8')), 'hex'),
  "id" = overlay(overlay(substr(encode(sha256(convert_to("id"::text, 'UTF8')), 'hex'), 1, 32) placing '8' from 13) placing '8' from 17)::uuid;--> statement-breakpoint
UPDATE "account"."key_devices" SET "token_hash" = encode(sha256(convert_to("id"::text, 'UTF8')), 'hex'),
  "id" = overlay(overlay(substr(encode(sha256(convert_to("id"::text, 'UTF8')), 'hex'), 1, 32) placing '8' from 13) placing '8' from 17)::uuid;--> statement-breakpoint
UPDATE "account"."activity" SET "target" = overlay(overlay(substr(encode(sha256(convert_to("target", 'UTF8')), 'hex'), 1, 32) placing '8' from 13) placing '8' from 17)::uuid::text
WHERE "action" IN ('device.activated', 'device.deactivated');--> statement-breakpoint
UPDATE "account"."events" SET "data" = "data" - 'activationId' || jsonb_build_object('deviceId', overlay(overlay(substr(encode(sha256(convert_to(("data"->>'activationId'), 'UTF8')), 'hex'), 1, 32) placing '8' from 13) placing '8' from 17)::uuid)
WHERE "data" ? 'activationId';--> statement-breakpoint
CREATE UNIQUE INDEX "email_devices_token" ON "account"."email_devices" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "key_devices_token" ON "account"."key_devices" USING btree ("token_hash");
--> statement-breakpoint
ALTER TABLE "account"."members" ADD COLUMN "edited_fields" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "account"."members" SET "edited_fields" = edits."fields"
FROM (
  SELECT "member_id", array_agg(DISTINCT field) AS "fields"
  FROM "account"."activity", unnest(ARRAY['firstName', 'lastName', 'phone', 'company']) field
  WHERE "action" = 'profile.updated' AND "details"->'before'->>field IS DISTINCT FROM "details"->'after'->>field
  GROUP BY "member_id"
) edits
WHERE "id" = edits."member_id";

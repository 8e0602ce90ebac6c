ALTER TABLE "account"."license_keys" ALTER COLUMN "position" SET DATA TYPE bigint;--> statement-breakpoint
ALTER TABLE "account"."license_keys" ALTER COLUMN "position" SET MAXVALUE 9223372036854775807;--> statement-breakpoint
ALTER TABLE "account"."email_devices" ADD COLUMN "subscription_id" text;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ADD COLUMN "subscription_id" text;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ADD COLUMN "product_code" text;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ADD COLUMN "created_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ADD COLUMN "revoked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ADD COLUMN "activation_method" text;--> statement-breakpoint
UPDATE "account"."license_contacts" c
SET "subscription_id" = l."subscription_id", "product_code" = l."product_code", "expires_at" = l."expires_at",
  "created_at" = l."created_at", "revoked_at" = l."revoked_at", "activation_method" = l."activation_method"
FROM "account"."licenses" l WHERE l."id" = c."license_id";--> statement-breakpoint
UPDATE "account"."email_devices" d SET "subscription_id" = s."subscription_id" FROM "account"."seats" s WHERE s."id" = d."seat_id";--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ALTER COLUMN "created_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ALTER COLUMN "activation_method" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."email_devices" ALTER COLUMN "subscription_id" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "email_devices_of_subscription" ON "account"."email_devices" USING btree ("subscription_id","updated_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "license_contacts_of_member" ON "account"."license_contacts" USING btree ("member_id","created_at" DESC NULLS LAST,"license_id" DESC NULLS LAST,"product_code","expires_at","revoked_at","activation_method","relationship") WHERE "account"."license_contacts"."subscription_id" is null;--> statement-breakpoint
CREATE INDEX "license_contacts_of_member_subscribed" ON "account"."license_contacts" USING btree ("member_id","subscription_id","license_id","created_at","revoked_at","activation_method","relationship") WHERE "account"."license_contacts"."subscription_id" is not null;

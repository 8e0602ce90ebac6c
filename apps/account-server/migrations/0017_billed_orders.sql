CREATE TABLE "account"."number_series" (
	"name" text PRIMARY KEY NOT NULL,
	"last" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "provider_id" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "provider_number" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "sync_number" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."orders" ADD COLUMN "locale" text;--> statement-breakpoint
ALTER TABLE "account"."members" ADD COLUMN "locale" text DEFAULT 'en-us' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_provider_id" ON "account"."orders" USING btree ("provider_id") WHERE "account"."orders"."provider_id" <> '';
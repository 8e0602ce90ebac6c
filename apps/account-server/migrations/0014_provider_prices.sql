CREATE TABLE "account"."provider_prices" (
	"id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"product_id" text NOT NULL,
	"product_code" text NOT NULL,
	"term" text,
	"amount" bigint,
	"currency" char(3) NOT NULL,
	"is_current" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account"."provider_prices" ADD CONSTRAINT "provider_prices_product_code_products_code_fk" FOREIGN KEY ("product_code") REFERENCES "account"."products"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_prices_product" ON "account"."provider_prices" USING btree ("product_code");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_prices_current" ON "account"."provider_prices" USING btree ("provider","product_code","term","currency") WHERE "account"."provider_prices"."is_current";
CREATE TABLE "account"."coupons" (
	"code" text PRIMARY KEY NOT NULL,
	"percent_off" numeric(5, 2),
	"amount_off" bigint,
	"currency" char(3),
	"products" text[] NOT NULL,
	"terms" text[] NOT NULL,
	"countries" text[] NOT NULL,
	"valid_from" timestamp with time zone,
	"valid_until" timestamp with time zone,
	"max_uses" integer,
	"max_uses_per_customer" integer
);
--> statement-breakpoint
ALTER TABLE "account"."change_quotes" ADD COLUMN "discount" jsonb;--> statement-breakpoint
CREATE INDEX "provider_operations_coupon" ON "account"."provider_operations" USING btree (("input" ->> 'couponCode')) WHERE ("account"."provider_operations"."input" ->> 'couponCode') is not null;
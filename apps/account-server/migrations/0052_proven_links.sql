CREATE TABLE "account"."unmatched_purchases" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider" text NOT NULL,
	"kind" text NOT NULL,
	"object_id" text NOT NULL,
	"reason" text NOT NULL,
	"customer_id" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"member_id" uuid,
	"amount" bigint,
	"currency" char(3),
	"bought_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	CONSTRAINT "unmatched_purchases_object" UNIQUE("provider","object_id")
);
--> statement-breakpoint
ALTER TABLE "account"."provider_customers" DROP CONSTRAINT "provider_customers_customer_id_unique";--> statement-breakpoint
ALTER TABLE "account"."provider_customers" DROP CONSTRAINT "provider_customers_pkey";--> statement-breakpoint
ALTER TABLE "account"."provider_customers" ADD PRIMARY KEY ("customer_id");--> statement-breakpoint
ALTER TABLE "account"."provider_customers" ADD COLUMN "proof" text DEFAULT 'address' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."provider_customers" ADD COLUMN "is_main" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "customer_id" text;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "proof" text;--> statement-breakpoint
ALTER TABLE "account"."unmatched_purchases" ADD CONSTRAINT "unmatched_purchases_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "unmatched_purchases_of_member" ON "account"."unmatched_purchases" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "unmatched_purchases_of_customer" ON "account"."unmatched_purchases" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "provider_customers_of_member" ON "account"."provider_customers" USING btree ("member_id");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_customers_main" ON "account"."provider_customers" USING btree ("member_id") WHERE "account"."provider_customers"."is_main";--> statement-breakpoint
CREATE INDEX "members_email_hash" ON "account"."members" USING btree (sha256(replace("email", '\', '\\')::bytea)) WHERE "account"."members"."email_verified";--> statement-breakpoint
ALTER TABLE "account"."provider_customers" ADD CONSTRAINT "provider_customers_main_is_proven" CHECK (not ("account"."provider_customers"."is_main" and "account"."provider_customers"."proof" = 'address'));--> statement-breakpoint
ALTER TABLE "account"."provider_customers" ALTER COLUMN "proof" DROP DEFAULT, ALTER COLUMN "is_main" DROP DEFAULT;--> statement-breakpoint
UPDATE "account"."provider_customers" AS "customer" SET "proof" = 'ours', "is_main" = true
WHERE EXISTS (SELECT FROM "account"."provider_operations" AS "operation"
  WHERE "operation"."kind" = 'customer.create' AND "operation"."status" = 'succeeded'
    AND "operation"."object_id" = "customer"."customer_id" AND "operation"."member_id" = "customer"."member_id");--> statement-breakpoint
UPDATE "account"."subscriptions" AS "subscription" SET "customer_id" = "customer"."customer_id"
FROM "account"."provider_customers" AS "customer"
WHERE "customer"."member_id" = "subscription"."member_id"
  AND "subscription"."channel" = 'card' AND "subscription"."provider_id" IS NOT NULL;--> statement-breakpoint
UPDATE "account"."subscriptions" SET "proof" = 'address' WHERE "channel" = 'paypal' AND "provider_id" IS NOT NULL;

CREATE TABLE "account"."email_devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"seat_id" uuid NOT NULL,
	"host_name" text NOT NULL,
	"mac" text NOT NULL,
	"app_name" text NOT NULL,
	"app_version" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"deactivated_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "account"."key_devices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"key_id" uuid NOT NULL,
	"mac_address" text NOT NULL,
	"pc_name" text NOT NULL,
	"app_version" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"deactivated_at" timestamp with time zone,
	"deactivated_by" text
);
--> statement-breakpoint
CREATE TABLE "account"."events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."license_contacts" (
	"member_id" uuid NOT NULL,
	"license_id" text NOT NULL,
	"relationship" text NOT NULL,
	"user_role" text NOT NULL,
	CONSTRAINT "license_contacts_member_id_license_id_pk" PRIMARY KEY("member_id","license_id")
);
--> statement-breakpoint
CREATE TABLE "account"."license_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"license_id" text NOT NULL,
	"key" text NOT NULL,
	"seats" integer,
	"revoked_at" timestamp with time zone,
	"position" integer GENERATED ALWAYS AS IDENTITY (sequence name "account"."license_keys_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	CONSTRAINT "license_keys_key" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "account"."licenses" (
	"id" text PRIMARY KEY NOT NULL,
	"subscription_id" text,
	"product_code" text,
	"seats" integer,
	"expires_at" timestamp with time zone,
	"version" text NOT NULL,
	"edition" text NOT NULL,
	"language" text NOT NULL,
	"platform" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"activation_method" text NOT NULL,
	"ac_lice_id" text NOT NULL,
	CONSTRAINT "licenses_own_or_subscribed" CHECK (case when "account"."licenses"."subscription_id" is null then "account"."licenses"."product_code" is not null and "account"."licenses"."seats" is not null
        else "account"."licenses"."product_code" is null and "account"."licenses"."seats" is null and "account"."licenses"."expires_at" is null end)
);
--> statement-breakpoint
CREATE TABLE "account"."invoice_files" (
	"order_number" text NOT NULL,
	"kind" text NOT NULL,
	"pdf" "bytea" NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invoice_files_order_number_kind_pk" PRIMARY KEY("order_number","kind")
);
--> statement-breakpoint
CREATE TABLE "account"."orders" (
	"order_number" text PRIMARY KEY NOT NULL,
	"member_id" uuid NOT NULL,
	"invoice_number" text NOT NULL,
	"status" text NOT NULL,
	"lines" jsonb NOT NULL,
	"amount" bigint NOT NULL,
	"tax" bigint,
	"currency" char(3) NOT NULL,
	"date" timestamp with time zone NOT NULL,
	"origin" text NOT NULL,
	"buyer" jsonb,
	"invoice_url" text NOT NULL,
	"searched" text GENERATED ALWAYS AS (lower(order_number || chr(10) || invoice_number || chr(10) || regexp_replace(replace(substr(jsonb_path_query_array(lines, '$[*].text')::text, 3, greatest(length(jsonb_path_query_array(lines, '$[*].text')::text) - 4, 0)), '", "', chr(10)), '\\(["\\])', '\1', 'g'))) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."quotes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"member_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"product_code" text NOT NULL,
	"seats" integer NOT NULL,
	"term" text NOT NULL,
	"company" text NOT NULL,
	"country" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"member_id" uuid NOT NULL,
	"product_code" text NOT NULL,
	"status" text NOT NULL,
	"user_count" integer NOT NULL,
	"origin" text NOT NULL,
	"channel" text NOT NULL,
	"auto_renew" boolean NOT NULL,
	"period_start" timestamp with time zone NOT NULL,
	"period_end" timestamp with time zone,
	"trial_end" timestamp with time zone,
	"cancel_at" timestamp with time zone,
	"past_due_since" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"org_code" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."seats" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"subscription_id" text NOT NULL,
	"email" text NOT NULL,
	"member_id" uuid,
	"type" integer NOT NULL,
	"status" text NOT NULL,
	"is_use" boolean NOT NULL,
	"invited_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "seats_type" CHECK ("account"."seats"."type" between 0 and 3)
);
--> statement-breakpoint
CREATE TABLE "account"."rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
ALTER TABLE "account"."products" ADD COLUMN "sku_name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."email_devices" ADD CONSTRAINT "email_devices_seat_id_seats_id_fk" FOREIGN KEY ("seat_id") REFERENCES "account"."seats"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."key_devices" ADD CONSTRAINT "key_devices_key_id_license_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "account"."license_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ADD CONSTRAINT "license_contacts_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."license_contacts" ADD CONSTRAINT "license_contacts_license_id_licenses_id_fk" FOREIGN KEY ("license_id") REFERENCES "account"."licenses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."license_keys" ADD CONSTRAINT "license_keys_license_id_licenses_id_fk" FOREIGN KEY ("license_id") REFERENCES "account"."licenses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."licenses" ADD CONSTRAINT "licenses_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "account"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."licenses" ADD CONSTRAINT "licenses_product_code_products_code_fk" FOREIGN KEY ("product_code") REFERENCES "account"."products"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."invoice_files" ADD CONSTRAINT "invoice_files_order_number_orders_order_number_fk" FOREIGN KEY ("order_number") REFERENCES "account"."orders"("order_number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."orders" ADD CONSTRAINT "orders_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."quotes" ADD CONSTRAINT "quotes_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD CONSTRAINT "subscriptions_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD CONSTRAINT "subscriptions_product_code_products_code_fk" FOREIGN KEY ("product_code") REFERENCES "account"."products"("code") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."seats" ADD CONSTRAINT "seats_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "account"."subscriptions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."seats" ADD CONSTRAINT "seats_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "email_devices_one_a_seat" ON "account"."email_devices" USING btree ("seat_id","mac","app_name");--> statement-breakpoint
CREATE INDEX "email_devices_of_seat" ON "account"."email_devices" USING btree ("seat_id","updated_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "key_devices_of_key" ON "account"."key_devices" USING btree ("key_id","requested_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE UNIQUE INDEX "key_devices_one_record" ON "account"."key_devices" USING btree ("key_id","mac_address","requested_at");--> statement-breakpoint
CREATE UNIQUE INDEX "key_devices_one_active" ON "account"."key_devices" USING btree ("key_id","mac_address") WHERE "account"."key_devices"."deactivated_at" is null;--> statement-breakpoint
CREATE INDEX "license_contacts_of_license" ON "account"."license_contacts" USING btree ("license_id");--> statement-breakpoint
CREATE INDEX "license_keys_of_license" ON "account"."license_keys" USING btree ("license_id","position");--> statement-breakpoint
CREATE INDEX "licenses_of_subscription" ON "account"."licenses" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "orders_of_member" ON "account"."orders" USING btree ("member_id","date" DESC NULLS LAST,"order_number" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "orders_of_member_by_status" ON "account"."orders" USING btree ("member_id","status","date" DESC NULLS LAST,"order_number" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "orders_invoice_number" ON "account"."orders" USING btree ("invoice_number") WHERE "account"."orders"."invoice_number" <> '';--> statement-breakpoint
CREATE INDEX "quotes_of_member" ON "account"."quotes" USING btree ("member_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "subscriptions_of_member" ON "account"."subscriptions" USING btree ("member_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "seats_one_an_address" ON "account"."seats" USING btree ("subscription_id","email") WHERE "account"."seats"."removed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "seats_one_owner" ON "account"."seats" USING btree ("subscription_id") WHERE "account"."seats"."type" = 2 and "account"."seats"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "seats_of_member" ON "account"."seats" USING btree ("member_id","subscription_id");--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "account"."rate_limits" USING btree ("expire");
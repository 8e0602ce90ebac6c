CREATE SCHEMA "account";
--> statement-breakpoint
CREATE TABLE "account"."activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "account"."activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"member_id" uuid,
	"actor" text NOT NULL,
	"actor_kind" text NOT NULL,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"details" jsonb NOT NULL,
	"address" text,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "account"."products" (
	"code" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"sku" text NOT NULL,
	"position" integer NOT NULL,
	"prices" jsonb NOT NULL,
	"cap" jsonb NOT NULL,
	"flags" text[] NOT NULL,
	"downloads" jsonb NOT NULL,
	"integrations" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."dictionary_entries" (
	"dictionary" text NOT NULL,
	"code" text NOT NULL,
	"position" integer NOT NULL,
	"names" jsonb NOT NULL,
	CONSTRAINT "dictionary_entries_dictionary_code_pk" PRIMARY KEY("dictionary","code")
);
--> statement-breakpoint
CREATE TABLE "account"."offline_orders" (
	"order_number" text PRIMARY KEY NOT NULL,
	"member_id" uuid NOT NULL,
	"lines" text[] NOT NULL,
	"amount" bigint NOT NULL,
	"currency" char(3) NOT NULL,
	"date" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."identities" (
	"provider" text NOT NULL,
	"subject" text NOT NULL,
	"member_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "identities_provider_subject_pk" PRIMARY KEY("provider","subject")
);
--> statement-breakpoint
CREATE TABLE "account"."members" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"company" text DEFAULT '' NOT NULL,
	"country_code" text DEFAULT '' NOT NULL,
	"support_access_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"member_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"ticket_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "account"."signing_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"private_key" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account"."offline_orders" ADD CONSTRAINT "offline_orders_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."identities" ADD CONSTRAINT "identities_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."sessions" ADD CONSTRAINT "sessions_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_member_at" ON "account"."activity" USING btree ("member_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "products_position" ON "account"."products" USING btree ("position","code");--> statement-breakpoint
CREATE INDEX "offline_orders_of_member" ON "account"."offline_orders" USING btree ("member_id","date" DESC NULLS LAST,"order_number" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "members_verified_email" ON "account"."members" USING btree ("email") WHERE "account"."members"."email_verified";--> statement-breakpoint
CREATE INDEX "sessions_ticket_hash" ON "account"."sessions" USING btree ("ticket_hash");--> statement-breakpoint
CREATE INDEX "sessions_member" ON "account"."sessions" USING btree ("member_id");--> statement-breakpoint
CREATE INDEX "sessions_seen_at" ON "account"."sessions" USING btree ("seen_at");
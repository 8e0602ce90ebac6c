CREATE TABLE "account"."payment_attempts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"member_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"request_key" text,
	"request_print" text,
	"payment_method_id" text NOT NULL,
	"intent_id" text,
	"status" text NOT NULL,
	"problem" text,
	"detail" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"address" text NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"declined_at" timestamp with time zone,
	"declines" integer DEFAULT 0 NOT NULL,
	"look_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "payment_attempts_intent_id_unique" UNIQUE("intent_id")
);
--> statement-breakpoint
CREATE TABLE "account"."provider_customers" (
	"member_id" uuid PRIMARY KEY NOT NULL,
	"customer_id" text,
	"idempotency_key" text NOT NULL,
	"email" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changing_until" timestamp with time zone,
	"changing" uuid,
	CONSTRAINT "provider_customers_customer_id_unique" UNIQUE("customer_id")
);
--> statement-breakpoint
CREATE TABLE "account"."provider_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"object_id" text NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account"."request_keys" (
	"member_id" uuid NOT NULL,
	"key" text NOT NULL,
	"print" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "request_keys_member_id_key_pk" PRIMARY KEY("member_id","key")
);
--> statement-breakpoint
ALTER TABLE "account"."payment_attempts" ADD CONSTRAINT "payment_attempts_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."provider_customers" ADD CONSTRAINT "provider_customers_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."request_keys" ADD CONSTRAINT "request_keys_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_attempts_of_member" ON "account"."payment_attempts" USING btree ("member_id","purpose","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "payment_attempts_request" ON "account"."payment_attempts" USING btree ("member_id","request_key");--> statement-breakpoint
CREATE INDEX "payment_attempts_unsettled" ON "account"."payment_attempts" USING btree ("look_at") WHERE "account"."payment_attempts"."settled_at" is null;
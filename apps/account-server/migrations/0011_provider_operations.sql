CREATE TABLE "account"."provider_operations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"member_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"amount" integer,
	"currency" text,
	"object_id" text,
	"input" jsonb NOT NULL,
	"result" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text NOT NULL,
	"problem" text,
	"detail" text,
	"parent_id" uuid,
	"is_required" boolean DEFAULT true NOT NULL,
	"address" text,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"called_at" timestamp with time zone,
	"next_check_at" timestamp with time zone NOT NULL,
	"gives_up_at" timestamp with time zone,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "provider_operations_money" CHECK (("account"."provider_operations"."amount" is null) = ("account"."provider_operations"."currency" is null))
);
--> statement-breakpoint
CREATE TABLE "account"."idempotency_keys" (
	"member_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"operation_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_member_id_key_pk" PRIMARY KEY("member_id","key")
);
--> statement-breakpoint
ALTER TABLE "account"."provider_customers" ADD COLUMN "address_fingerprint" text;--> statement-breakpoint
ALTER TABLE "account"."provider_operations" ADD CONSTRAINT "provider_operations_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."idempotency_keys" ADD CONSTRAINT "idempotency_keys_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "provider_operations_of_member" ON "account"."provider_operations" USING btree ("member_id","kind","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "provider_operations_object" ON "account"."provider_operations" USING btree ("object_id");--> statement-breakpoint
CREATE INDEX "provider_operations_parent" ON "account"."provider_operations" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "provider_operations_unresolved" ON "account"."provider_operations" USING btree ("next_check_at") WHERE "account"."provider_operations"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "provider_operations_address" ON "account"."provider_operations" USING btree ("created_at") WHERE "account"."provider_operations"."address" is not null;--> statement-breakpoint
CREATE INDEX "provider_operations_failed" ON "account"."provider_operations" USING btree ("resolved_at") WHERE "account"."provider_operations"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "idempotency_keys_operation" ON "account"."idempotency_keys" USING btree ("operation_id");
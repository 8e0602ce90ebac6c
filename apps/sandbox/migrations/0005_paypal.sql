CREATE TABLE "sandbox"."paypal_certificates" (
	"id" text PRIMARY KEY NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."paypal_certificates_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"role" text NOT NULL,
	"certificate" text NOT NULL,
	"private_key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."paypal_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."paypal_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" text NOT NULL,
	"webhook_id" text NOT NULL,
	"transmission_id" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"outcome" text DEFAULT 'waiting' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."paypal_faults" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."paypal_faults_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"pattern" text NOT NULL,
	"remaining" integer NOT NULL,
	"milliseconds" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."paypal_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."paypal_objects_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"parent" text,
	"event_type" text,
	"approval_token" text,
	"due_at" timestamp with time zone,
	"invoice_id" text,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"stored" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."paypal_replies" (
	"request_id" text NOT NULL,
	"operation" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"body" json,
	CONSTRAINT "paypal_replies_request_id_operation_pk" PRIMARY KEY("request_id","operation")
);
--> statement-breakpoint
CREATE TABLE "sandbox"."paypal_tokens" (
	"token" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sandbox"."paypal_deliveries" ADD CONSTRAINT "paypal_deliveries_event_id_paypal_objects_id_fk" FOREIGN KEY ("event_id") REFERENCES "sandbox"."paypal_objects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "paypal_certificates_authority" ON "sandbox"."paypal_certificates" USING btree ("role") WHERE "sandbox"."paypal_certificates"."role" <> 'leaf';--> statement-breakpoint
CREATE INDEX "paypal_deliveries_due" ON "sandbox"."paypal_deliveries" USING btree ("next_at") WHERE "sandbox"."paypal_deliveries"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "paypal_deliveries_of_event" ON "sandbox"."paypal_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "paypal_objects_of_kind" ON "sandbox"."paypal_objects" USING btree ("kind","place" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "paypal_objects_of_parent" ON "sandbox"."paypal_objects" USING btree ("parent","kind","place" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "paypal_objects_due" ON "sandbox"."paypal_objects" USING btree ("due_at","place") WHERE "sandbox"."paypal_objects"."due_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "paypal_objects_approval" ON "sandbox"."paypal_objects" USING btree ("approval_token");--> statement-breakpoint
CREATE UNIQUE INDEX "paypal_objects_invoice" ON "sandbox"."paypal_objects" USING btree ("invoice_id");
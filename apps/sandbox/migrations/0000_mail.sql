CREATE SCHEMA "sandbox";
--> statement-breakpoint
CREATE TABLE "sandbox"."messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"recipient" text NOT NULL,
	"message_id" text NOT NULL,
	"sender" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"html" text NOT NULL,
	"headers" jsonb NOT NULL,
	"attachments" jsonb NOT NULL,
	"deliveries" integer DEFAULT 1 NOT NULL,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "messages_once_a_mailbox" ON "sandbox"."messages" USING btree ("message_id","recipient");--> statement-breakpoint
CREATE INDEX "messages_of_recipient" ON "sandbox"."messages" USING btree ("recipient","id" DESC NULLS LAST);
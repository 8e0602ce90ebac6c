CREATE TABLE "sandbox"."card_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."card_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"outcome" text DEFAULT 'waiting' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."card_faults" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."card_faults_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"pattern" text NOT NULL,
	"remaining" integer NOT NULL,
	"milliseconds" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."card_objects" (
	"id" text PRIMARY KEY NOT NULL,
	"place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "sandbox"."card_objects_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"created" bigint NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"customer" text,
	"email" text,
	"payment_method" text,
	"intent" text,
	"event_type" text,
	"challenge_token" text,
	"kept" json NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sandbox"."card_replies" (
	"key" text PRIMARY KEY NOT NULL,
	"path" text NOT NULL,
	"parameters" text NOT NULL,
	"request_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"status" integer,
	"body" json
);
--> statement-breakpoint
ALTER TABLE "sandbox"."card_deliveries" ADD CONSTRAINT "card_deliveries_event_id_card_objects_id_fk" FOREIGN KEY ("event_id") REFERENCES "sandbox"."card_objects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "card_deliveries_due" ON "sandbox"."card_deliveries" USING btree ("next_at") WHERE "sandbox"."card_deliveries"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "card_deliveries_of_event" ON "sandbox"."card_deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "card_objects_of_kind" ON "sandbox"."card_objects" USING btree ("kind","place" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "card_objects_of_customer" ON "sandbox"."card_objects" USING btree ("customer","kind","place" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "card_objects_of_email" ON "sandbox"."card_objects" USING btree ("email") WHERE "sandbox"."card_objects"."email" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "card_objects_challenge" ON "sandbox"."card_objects" USING btree ("challenge_token");
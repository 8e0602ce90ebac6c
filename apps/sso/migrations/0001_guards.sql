CREATE TABLE "sso"."answered_resets" (
	"job_id" text PRIMARY KEY NOT NULL,
	"answered_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sso"."sign_ups" ADD COLUMN "tries_left" integer DEFAULT 5 NOT NULL;--> statement-breakpoint
CREATE INDEX "tickets_untaken" ON "sso"."tickets" USING btree ("expires_at") WHERE not "sso"."tickets"."accepted";
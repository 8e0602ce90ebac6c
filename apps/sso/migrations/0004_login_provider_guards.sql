CREATE TABLE "sso"."cloud_ticket_requests" (
	"token_id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sso"."provider_flows" ADD COLUMN "password_fingerprint" text;--> statement-breakpoint
CREATE INDEX "cloud_ticket_requests_expiry" ON "sso"."cloud_ticket_requests" USING btree ("expires_at");
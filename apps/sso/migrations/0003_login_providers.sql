CREATE TABLE "sso"."pending_identities" (
	"hash" text PRIMARY KEY NOT NULL,
	"browser_hash" text NOT NULL,
	"provider" text NOT NULL,
	"authority" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"email_verified" boolean NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"institution" text,
	"service" text,
	"method" text NOT NULL,
	"locale" text NOT NULL,
	"code_email" text,
	"code_hash" text,
	"code_sent_at" timestamp with time zone,
	"code_expires_at" timestamp with time zone,
	"tries_left" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."provider_flows" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"browser_hash" text NOT NULL,
	"provider" text NOT NULL,
	"user_id" text,
	"nonce" text NOT NULL,
	"sealed_verifier" text NOT NULL,
	"service" text,
	"method" text NOT NULL,
	"locale" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "sso"."accounts_identity";--> statement-breakpoint
ALTER TABLE "sso"."accounts" ADD COLUMN "authority" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sso"."accounts" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "sso"."accounts" ADD COLUMN "institution" text;--> statement-breakpoint
ALTER TABLE "sso"."popup_sessions" ADD COLUMN "purpose" text DEFAULT 'password-reset' NOT NULL;--> statement-breakpoint
ALTER TABLE "sso"."provider_flows" ADD CONSTRAINT "provider_flows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "sso"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pending_identities_expiry" ON "sso"."pending_identities" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "provider_flows_expiry" ON "sso"."provider_flows" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "provider_flows_user" ON "sso"."provider_flows" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_identity" ON "sso"."accounts" USING btree ("provider_id","authority","account_id");
CREATE SCHEMA IF NOT EXISTS "sso";
--> statement-breakpoint
CREATE TABLE "sso"."accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."activity" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sso"."activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"user_id" text,
	"action" text NOT NULL,
	"address" text,
	"request_id" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."email_codes" (
	"user_id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"tries_left" integer NOT NULL,
	"sent_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."popup_sessions" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token_id" text NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "sso"."sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."sign_ups" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"password_hash" text NOT NULL,
	"locale" text NOT NULL,
	"service" text,
	"token_hash" text,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."tickets" (
	"hash" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"session_id" text NOT NULL,
	"service" text NOT NULL,
	"from_new_login" boolean NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"attempted_at" timestamp with time zone,
	"accepted" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"locale" text DEFAULT 'en-us' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sso"."verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sso"."accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "sso"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso"."email_codes" ADD CONSTRAINT "email_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "sso"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso"."popup_sessions" ADD CONSTRAINT "popup_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "sso"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso"."sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "sso"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso"."tickets" ADD CONSTRAINT "tickets_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "sso"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_identity" ON "sso"."accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE INDEX "accounts_user" ON "sso"."accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "activity_user" ON "sso"."activity" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "activity_at" ON "sso"."activity" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "popup_sessions_token" ON "sso"."popup_sessions" USING btree ("token_id");--> statement-breakpoint
CREATE INDEX "popup_sessions_expiry" ON "sso"."popup_sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "sso"."rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_token" ON "sso"."sessions" USING btree ("token");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sso"."sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sso"."sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_ups_token" ON "sso"."sign_ups" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "sign_ups_email" ON "sso"."sign_ups" USING btree ("email");--> statement-breakpoint
CREATE INDEX "sign_ups_expiry" ON "sso"."sign_ups" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tickets_session" ON "sso"."tickets" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "sso"."users" USING btree ("email");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "sso"."verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "verifications_value" ON "sso"."verifications" USING btree ("value");--> statement-breakpoint
CREATE INDEX "verifications_expiry" ON "sso"."verifications" USING btree ("expires_at");
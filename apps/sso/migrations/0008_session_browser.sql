ALTER TABLE "sso"."sessions" ADD COLUMN "browser" text;--> statement-breakpoint
CREATE INDEX "sessions_browser" ON "sso"."sessions" USING btree ("browser");
CREATE TABLE "sandbox"."card_settings" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"retry_days" json NOT NULL,
	"after_retries" text NOT NULL
);

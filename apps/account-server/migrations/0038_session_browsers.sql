ALTER TABLE "account"."sessions" ADD COLUMN "user_agent" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."sessions" ADD COLUMN "address" text;
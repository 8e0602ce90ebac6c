CREATE TABLE "account"."erased_addresses" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hash" text NOT NULL,
	"secret_id" text NOT NULL,
	"erased_at" timestamp with time zone NOT NULL,
	CONSTRAINT "erased_addresses_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
ALTER TABLE "account"."members" ADD COLUMN "erased_at" timestamp with time zone;
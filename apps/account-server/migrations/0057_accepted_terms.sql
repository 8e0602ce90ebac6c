CREATE TABLE "account"."accepted_terms" (
	"provider" text NOT NULL,
	"object_id" text NOT NULL,
	"terms" text NOT NULL,
	"accepted_at" timestamp with time zone NOT NULL,
	CONSTRAINT "accepted_terms_provider_object_id_pk" PRIMARY KEY("provider","object_id")
);
--> statement-breakpoint
ALTER TABLE "account"."unmatched_purchases" ADD COLUMN "terms" text DEFAULT '' NOT NULL;
CREATE TABLE "account"."archive_parts" (
	"archive_id" uuid NOT NULL,
	"run_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "archive_parts_archive_id_run_id_number_pk" PRIMARY KEY("archive_id","run_id","number")
);
--> statement-breakpoint
CREATE TABLE "account"."archives" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"member_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"run_id" uuid,
	"size" bigint,
	"expires_at" timestamp with time zone,
	CONSTRAINT "archives_member_kind" UNIQUE("member_id","kind")
);
--> statement-breakpoint
ALTER TABLE "account"."archive_parts" ADD CONSTRAINT "archive_parts_archive_id_archives_id_fk" FOREIGN KEY ("archive_id") REFERENCES "account"."archives"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."archives" ADD CONSTRAINT "archives_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;
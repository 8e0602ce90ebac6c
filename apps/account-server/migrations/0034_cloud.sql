CREATE TABLE "account"."cloud_accounts" (
	"member_id" uuid PRIMARY KEY NOT NULL,
	"region" text NOT NULL,
	"chosen_at" timestamp with time zone NOT NULL,
	"user_type_id" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account"."cloud_accounts" ADD CONSTRAINT "cloud_accounts_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;
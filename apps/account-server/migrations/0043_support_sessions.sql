CREATE TABLE "account"."support_sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"ticket_hash" text NOT NULL,
	"agent_subject" text NOT NULL,
	"agent_name" text NOT NULL,
	"member_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"ticket" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "support_sessions_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "account"."support_sign_ins" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"token_hash" text NOT NULL,
	"ticket_hash" text NOT NULL,
	"agent_subject" text NOT NULL,
	"agent_name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "support_sign_ins_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "account"."support_sessions" ADD CONSTRAINT "support_sessions_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "support_sessions_member" ON "account"."support_sessions" USING btree ("member_id","ends_at");--> statement-breakpoint
CREATE INDEX "support_sessions_ticket" ON "account"."support_sessions" USING btree ("ticket_hash");--> statement-breakpoint
CREATE INDEX "support_sessions_ends_at" ON "account"."support_sessions" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "support_sign_ins_ticket" ON "account"."support_sign_ins" USING btree ("ticket_hash");
CREATE TABLE "account"."renewal_dismissals" (
	"member_id" uuid NOT NULL,
	"subscription_id" text NOT NULL,
	"reason" text NOT NULL,
	"dismissed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "renewal_dismissals_member_id_subscription_id_reason_pk" PRIMARY KEY("member_id","subscription_id","reason")
);
--> statement-breakpoint
CREATE TABLE "account"."enterprises" (
	"org_code" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"console_url" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account"."products" ADD COLUMN "launch_url" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."products" ADD COLUMN "icon" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."renewal_dismissals" ADD CONSTRAINT "renewal_dismissals_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "account"."renewal_dismissals" ADD CONSTRAINT "renewal_dismissals_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "account"."subscriptions"("id") ON DELETE no action ON UPDATE no action;
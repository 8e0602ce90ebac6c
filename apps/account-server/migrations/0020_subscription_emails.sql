CREATE TABLE "account"."subscription_notices" (
	"subscription_id" text NOT NULL,
	"kind" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "subscription_notices_subscription_id_kind_ends_at_pk" PRIMARY KEY("subscription_id","kind","ends_at")
);
--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "needs_confirmation" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscriptions" ADD COLUMN "is_renewing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "account"."subscription_notices" ADD CONSTRAINT "subscription_notices_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "account"."subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscription_notices_by_end" ON "account"."subscription_notices" USING btree ("ends_at");
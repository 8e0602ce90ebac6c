CREATE TABLE "account"."paypal_trials" (
	"subscription_id" text PRIMARY KEY NOT NULL,
	"plan" jsonb NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"cycles" jsonb NOT NULL,
	"setup_fee" bigint NOT NULL,
	"fee_paid_by" text,
	"is_open" boolean NOT NULL,
	"decided_at" timestamp with time zone NOT NULL
);

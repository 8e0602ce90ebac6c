CREATE TABLE "account"."paypal_payments" (
	"subscription_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"purpose" text NOT NULL,
	"reason" text,
	"plan" jsonb,
	"period_start" timestamp with time zone,
	"period_end" timestamp with time zone,
	"terms" text NOT NULL,
	"collected_at" timestamp with time zone,
	"decided_at" timestamp with time zone NOT NULL,
	CONSTRAINT "paypal_payments_subscription_id_payment_id_pk" PRIMARY KEY("subscription_id","payment_id")
);

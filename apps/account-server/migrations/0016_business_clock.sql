CREATE TABLE "account"."business_clock" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"milliseconds" bigint NOT NULL,
	CONSTRAINT "business_clock_one" CHECK ("account"."business_clock"."id")
);

CREATE TABLE "sandbox"."business_clock" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"ahead" bigint NOT NULL,
	"stands_at" timestamp with time zone,
	CONSTRAINT "business_clock_one_row" CHECK ("sandbox"."business_clock"."id" = 1)
);

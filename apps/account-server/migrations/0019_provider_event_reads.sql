CREATE TABLE "account"."provider_event_reads" (
	"provider" text PRIMARY KEY NOT NULL,
	"read_until" timestamp with time zone NOT NULL
);

CREATE TABLE "sandbox"."card_keys" (
	"key" text PRIMARY KEY NOT NULL,
	"rights" json
);

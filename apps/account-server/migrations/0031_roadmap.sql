CREATE TABLE "account"."roadmap_items" (
	"key" text PRIMARY KEY NOT NULL,
	"product_type" text NOT NULL,
	"summary" text NOT NULL,
	"status" text NOT NULL,
	"plan_cycle" text NOT NULL,
	"position" integer NOT NULL
);

CREATE TABLE "account"."declined_purchases" (
	"provider" text NOT NULL,
	"object_id" text NOT NULL,
	"member_id" uuid NOT NULL,
	"customer_id" text NOT NULL,
	"declined_at" timestamp with time zone NOT NULL,
	CONSTRAINT "declined_purchases_provider_object_id_member_id_pk" PRIMARY KEY("provider","object_id","member_id")
);
--> statement-breakpoint
ALTER TABLE "account"."declined_purchases" ADD CONSTRAINT "declined_purchases_member_id_members_id_fk" FOREIGN KEY ("member_id") REFERENCES "account"."members"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "declined_purchases_of_customer" ON "account"."declined_purchases" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "declined_purchases_of_member" ON "account"."declined_purchases" USING btree ("member_id");--> statement-breakpoint
INSERT INTO "account"."declined_purchases" ("provider", "object_id", "member_id", "customer_id", "declined_at")
SELECT "provider", "object_id", "member_id", "customer_id", "created_at" FROM "account"."unmatched_purchases"
WHERE "reason" = 'not_mine' AND "member_id" IS NOT NULL;--> statement-breakpoint
UPDATE "account"."unmatched_purchases" SET "address_subjects" = '{""}' WHERE "address_subjects" = '{}';

BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0010');
CREATE TABLE bars (
	server TEXT NOT NULL, 
	person TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	made_at BIGINT NOT NULL,
	CONSTRAINT fk_bars_by FOREIGN KEY("by") REFERENCES people (account),
	CONSTRAINT fk_bars_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT fk_bars_server FOREIGN KEY(server) REFERENCES servers (server),
	CONSTRAINT pk_bars PRIMARY KEY (server, person)
)
 WITHOUT ROWID

;
INSERT INTO "bars" VALUES('discord:1499742181785600003','discord:1499742181785600012','discord:1499742181785600010',1777636800000);
CREATE TABLE blocks (
	person TEXT NOT NULL, 
	blocked TEXT NOT NULL, 
	made_at BIGINT NOT NULL,
	CONSTRAINT fk_blocks_blocked FOREIGN KEY(blocked) REFERENCES people (account),
	CONSTRAINT fk_blocks_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_blocks PRIMARY KEY (person, blocked)
)
 WITHOUT ROWID

;
INSERT INTO "blocks" VALUES('discord:1499742181785600006','discord:1499742181785600011',1777636800000);
CREATE TABLE "challenges" (
	id INTEGER NOT NULL, 
	"by" TEXT NOT NULL, 
	"to" TEXT, 
	server TEXT NOT NULL, 
	place TEXT NOT NULL, 
	game TEXT NOT NULL, 
	options TEXT NOT NULL, 
	colour TEXT, 
	state TEXT NOT NULL, 
	taken_by TEXT, 
	made_at BIGINT NOT NULL, 
	lapses_at BIGINT NOT NULL, 
	closed_at BIGINT, 
	record INTEGER, terms TEXT DEFAULT '{}' NOT NULL, rematch_of BIGINT,
	CONSTRAINT fk_challenges_by FOREIGN KEY("by") REFERENCES people (account),
	CONSTRAINT fk_challenges_record FOREIGN KEY(record) REFERENCES records (id),
	CONSTRAINT fk_challenges_server FOREIGN KEY(server) REFERENCES servers (server),
	CONSTRAINT fk_challenges_taken_by FOREIGN KEY(taken_by) REFERENCES people (account),
	CONSTRAINT fk_challenges_to FOREIGN KEY("to") REFERENCES people (account),
	CONSTRAINT pk_challenges PRIMARY KEY (id)
);
INSERT INTO "challenges" VALUES(1,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777636800000,1778241600000,1777636800000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(2,'discord:1499742181785600007','discord:1499742181785600008','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600008',1777636800000,1778241600000,1777636800000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(3,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777637040000,1778241840000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(4,'discord:1499742181785600007','discord:1499742181785600006','discord:1499742181785600003','discord:1499742181785600005','morabaraba','{"men": 12}','white','accepted','discord:1499742181785600006',1777637040000,1778241840000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(5,'discord:1499742181785600006','discord:1499742181785600008','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600008',1777637040000,1778241840000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(6,'discord:1499742181785600008','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morphos','{"mutators": "-", "size": 5}','black','accepted','discord:1499742181785600007',1777637040000,1778241840000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(7,'discord:1499742181785600009','discord:1499742181785600006','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600006',1777637040000,1778241840000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(8,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777637040000,1778241840000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(9,'discord:1499742181785600006','discord:1499742181785600009','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600009',1777637040000,1778241840000,1777637040000,NULL,'{"pace": "1d per move", "flag": "lost", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(10,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(11,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "seed": 7, "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,1,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": false}',NULL);
INSERT INTO "challenges" VALUES(12,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "free", "size": 9}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(13,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "2015", "setup": "pairs", "size": 9}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(14,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "fists", "size": 9}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(15,'discord:1499742181785600007','discord:1499742181785600006','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "mindsports", "setup": "random", "size": 9}','black','accepted','discord:1499742181785600006',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(16,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morphos','{"mutators": "bd", "size": 5}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "14d + 1d per move, at most 21d", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(17,'discord:1499742181785600007','discord:1499742181785600006','discord:1499742181785600003','discord:1499742181785600005','morphos','{"mutators": "ac", "size": 19}','black','accepted','discord:1499742181785600006',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(18,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(19,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morabaraba','{"men": 12}','white','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(20,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(21,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777723500000,1778328300000,1777723500000,NULL,'{"pace": "1d per move", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(22,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "14d in all", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(23,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "14d in all", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(24,'discord:1499742181785600009','discord:1499742181785600008','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600008',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "9d per move", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(25,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morabaraba','{"men": 12}','white','accepted','discord:1499742181785600007',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": false, "rated": false}',NULL);
INSERT INTO "challenges" VALUES(26,'discord:1499742181785600008','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morabaraba','{"men": 11}','white','accepted','discord:1499742181785600007',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(27,'discord:1499742181785600007','discord:1499742181785600008','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "adjacent", "size": 13}','black','accepted','discord:1499742181785600008',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(28,'discord:1499742181785600006','discord:1499742181785600009','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600009',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "4d per move", "flag": "lost", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(29,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(30,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','accepted','discord:1499742181785600007',1777809960000,1778414760000,1777809960000,NULL,'{"pace": "4d per move", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(31,'discord:1499742181785600006',NULL,'discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "seed": 7, "setup": "facing", "size": 9}','white','open',NULL,1777896660000,1778501460000,NULL,1,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": false}',NULL);
INSERT INTO "challenges" VALUES(32,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','white','open',NULL,1777896660000,1778501460000,NULL,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',8);
INSERT INTO "challenges" VALUES(33,'discord:1499742181785600007','discord:1499742181785600008','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','open',NULL,1777896660000,1778501460000,NULL,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(34,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','declined',NULL,1777896660000,1778501460000,1777896660000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(35,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','withdrawn',NULL,1777896660000,1778501460000,1777896660000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(36,'discord:1499742181785600006','discord:1499742181785600007','discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','open',NULL,1777896660000,1778501460000,NULL,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(37,'discord:1499742181785600006',NULL,'discord:1499742181785600003','discord:1499742181785600005','morelli','{"edition": "nestor", "setup": "facing", "size": 9}','black','open',NULL,1777896660000,1778501460000,NULL,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
INSERT INTO "challenges" VALUES(38,'discord:1499742181785600008',NULL,'discord:1499742181785600003','discord:1499742181785600005','morabaraba','{"men": 12}','white','open',NULL,1777896660000,1778501460000,NULL,NULL,'{"pace": "7d + 12h per move", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL);
CREATE TABLE conditionals (
	"match" INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	position TEXT NOT NULL, 
	tree TEXT NOT NULL, 
	changed_at BIGINT NOT NULL, 
	lost TEXT, 
	due_at BIGINT, 
	attempts INTEGER DEFAULT '0' NOT NULL,
	CONSTRAINT fk_conditionals_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_conditionals_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_conditionals PRIMARY KEY ("match", person)
)
 WITHOUT ROWID

;
INSERT INTO "conditionals" VALUES(30,'discord:1499742181785600007',2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -','[[["F1-F4"],0,[[["I2-H2"],1,[]]]],[["D9-D6"],0,[[["I6-H6"],1,[]]]]]',1777896660000,NULL,NULL,0);
CREATE TABLE corrections (
	id INTEGER NOT NULL, 
	"match" INTEGER NOT NULL, 
	"by" TEXT NOT NULL, 
	text TEXT NOT NULL, 
	old_outcome TEXT, 
	old_reason TEXT NOT NULL, 
	outcome TEXT, 
	reason TEXT NOT NULL, 
	made_at BIGINT NOT NULL,
	CONSTRAINT fk_corrections_by FOREIGN KEY("by") REFERENCES people (account),
	CONSTRAINT fk_corrections_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT pk_corrections PRIMARY KEY (id)
);
INSERT INTO "corrections" VALUES(1,5,'discord:1499742181785600010','A slip of the hand.','white','resigned','black','corrected',1777637040000);
INSERT INTO "corrections" VALUES(2,6,'discord:1499742181785600010','Both agreed.','black','resigned',NULL,'voided',1777637040000);
CREATE TABLE follows (
	"match" INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	interest TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	due_at BIGINT, 
	made_at BIGINT NOT NULL,
	CONSTRAINT fk_follows_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_follows_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_follows PRIMARY KEY ("match", person)
)
 WITHOUT ROWID

;
INSERT INTO "follows" VALUES(30,'discord:1499742181785600008','turns',0,NULL,1777809960000);
INSERT INTO "follows" VALUES(30,'discord:1499742181785600009','end',0,NULL,1777809960000);
INSERT INTO "follows" VALUES(30,'discord:1499742181785600010','daily',1,1777971600000,1777809960000);
CREATE TABLE locks (
	"match" INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	number INTEGER NOT NULL,
	CONSTRAINT fk_locks_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_locks_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_locks PRIMARY KEY ("match", person)
)
 WITHOUT ROWID

;
INSERT INTO "locks" VALUES(30,'discord:1499742181785600006',1);
CREATE TABLE "matches" (
	id INTEGER NOT NULL, 
	challenge INTEGER, 
	server TEXT NOT NULL, 
	place TEXT NOT NULL, 
	game TEXT NOT NULL, 
	rules_version INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	state TEXT NOT NULL, 
	first TEXT NOT NULL, 
	second TEXT NOT NULL, 
	ply INTEGER DEFAULT '0' NOT NULL, 
	turn INTEGER DEFAULT '1' NOT NULL, 
	turn_ply INTEGER DEFAULT '0' NOT NULL, 
	position TEXT, 
	mover TEXT, 
	outcome TEXT, 
	reason TEXT, 
	made_at BIGINT NOT NULL, 
	changed_at BIGINT NOT NULL, 
	base TEXT, 
	terms TEXT DEFAULT '{}' NOT NULL, 
	clock TEXT, 
	deadline BIGINT, 
	foreseen BOOLEAN DEFAULT 0 NOT NULL, 
	remind_at BIGINT, 
	reminded_at BIGINT, 
	waits_since BIGINT, 
	followed BOOLEAN DEFAULT 0 NOT NULL, 
	standing BIGINT, 
	takebacks INTEGER DEFAULT '0' NOT NULL,
	CONSTRAINT ck_matches_turn_began CHECK (turn_ply <= ply),
	CONSTRAINT ck_matches_two_people CHECK (first <> second),
	CONSTRAINT fk_matches_challenge FOREIGN KEY(challenge) REFERENCES challenges (id),
	CONSTRAINT fk_matches_first FOREIGN KEY(first) REFERENCES people (account),
	CONSTRAINT fk_matches_mover FOREIGN KEY(mover) REFERENCES people (account),
	CONSTRAINT fk_matches_second FOREIGN KEY(second) REFERENCES people (account),
	CONSTRAINT fk_matches_server FOREIGN KEY(server) REFERENCES servers (server),
	CONSTRAINT pk_matches PRIMARY KEY (id),
	CONSTRAINT uq_matches_challenge UNIQUE (challenge)
);
INSERT INTO "matches" VALUES(1,1,'discord:1499742181785600003','discord:1499742181785600107','morelli',1,'{"edition": "nestor", "seed": 0, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',1,2,1,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -','discord:1499742181785600007',NULL,NULL,1777636800000,1777636800000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777636920000,1777636800000,0,NULL,0);
INSERT INTO "matches" VALUES(2,2,'discord:1499742181785600003','discord:1499742181785600116','morelli',1,'{"edition": "nestor", "seed": 7, "setup": "facing", "size": 9}','over','discord:1499742181785600007','discord:1499742181785600008',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',NULL,'black','resigned',1777636800000,1777636800000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777636800000,1777636800000,0,NULL,0);
INSERT INTO "matches" VALUES(3,3,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 14, "setup": "facing", "size": 9}','over','discord:1499742181785600006','discord:1499742181785600007',6,7,6,'morelli nestor wbb1bbbbb/w7w/w7w/w2bw4/5w2w/w2b1b2w/w7w/w6w1/bbb1b1bbw b -',NULL,'black','resigned',1777637040000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777637040000,1777637040000,0,NULL,0);
INSERT INTO "matches" VALUES(4,4,'discord:1499742181785600003','discord:1499742181785600005','morabaraba',1,'{"men": 12}','over','discord:1499742181785600007','discord:1499742181785600006',2,3,2,'morabaraba 12 2r/3/3/6/3/3/w2 w 11,11 -',NULL,'draw','agreed',1777637040000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777637040000,1777637040000,0,NULL,0);
INSERT INTO "matches" VALUES(5,5,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 21, "setup": "facing", "size": 9}','over','discord:1499742181785600006','discord:1499742181785600008',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',NULL,'black','corrected',1777637040000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777637040000,1777637040000,0,NULL,0);
INSERT INTO "matches" VALUES(6,6,'discord:1499742181785600003','discord:1499742181785600005','morphos',1,'{"mutators": "-", "size": 5}','over','discord:1499742181785600008','discord:1499742181785600007',3,4,3,'morphos - 5/5/2b2/1w3/b4 w 3 -',NULL,NULL,'voided',1777637040000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777637040000,1777637040000,0,NULL,0);
INSERT INTO "matches" VALUES(7,7,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 28, "setup": "facing", "size": 9}','over','discord:1499742181785600009','discord:1499742181785600006',0,1,0,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w7w/w7w/bbbbbbbbw b -',NULL,NULL,'aborted',1777637040000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777637040000,1777637040000,0,NULL,0);
INSERT INTO "matches" VALUES(8,8,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 35, "setup": "facing", "size": 9}','over','discord:1499742181785600006','discord:1499742181785600007',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',NULL,'draw','agreed',1777637040000,1777637040000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777637040000,1777637040000,0,NULL,0);
INSERT INTO "matches" VALUES(9,9,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 42, "setup": "facing", "size": 9}','over','discord:1499742181785600006','discord:1499742181785600009',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',NULL,'white','time',1777637040000,1777723500000,NULL,'{"pace": "1d per move", "flag": "lost", "vacation": true, "takeback": true, "rated": true}','{"left": {"discord:1499742181785600006": 86400000, "discord:1499742181785600009": 86400000}, "to_act": ["discord:1499742181785600006"], "ends": {"discord:1499742181785600006": 1777723440000}, "fell": {}, "away": [], "paused": false, "offer": null, "declined": false, "added": {}}',NULL,0,NULL,1777637040000,1777637040000,0,NULL,0);
INSERT INTO "matches" VALUES(10,10,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 49, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',1,2,1,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -','discord:1499742181785600007',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,NULL,1);
INSERT INTO "matches" VALUES(11,11,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 7, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',1,2,1,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/ww6w/1b1b4w/1b1bbbbbw w -','discord:1499742181785600007',NULL,NULL,1777723500000,1777723500000,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/ww6w/3b4w/bb1bbbbbw b -','{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": false}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,NULL,0);
INSERT INTO "matches" VALUES(12,12,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 56, "setup": "free", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',2,2,1,'morelli nestor 9/9/9/9/9/9/9/w8/b8 w free','discord:1499742181785600007',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,NULL,0);
INSERT INTO "matches" VALUES(13,13,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "2015", "seed": 63, "setup": "pairs", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',3,4,3,'morelli 2015 8w/8b/8w/9/9/9/b8/w8/b8 w pairs','discord:1499742181785600007',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,NULL,0);
INSERT INTO "matches" VALUES(14,14,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 70, "setup": "fists", "size": 9}','fists','discord:1499742181785600006','discord:1499742181785600007',0,1,0,NULL,NULL,NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,NULL,0);
INSERT INTO "matches" VALUES(15,15,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "mindsports", "seed": 77, "setup": "random", "size": 9}','playing','discord:1499742181785600007','discord:1499742181785600006',3,4,3,'morelli mindsports wbwbwwwbb/b7w/w7w/w7b/w7b/1b6b/1w6b/1w6w/wwbbbwbwb w -','discord:1499742181785600006',NULL,NULL,1777723500000,1777896660000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,1777896720000,1777896660000,1777896660000,0,NULL,0);
INSERT INTO "matches" VALUES(16,16,'discord:1499742181785600003','discord:1499742181785600005','morphos',1,'{"mutators": "bd", "size": 5}','playing','discord:1499742181785600006','discord:1499742181785600007',10,11,10,'morphos bd 1b1bw/1bwbb/2w2/5/w1w2 b 10 -','discord:1499742181785600006',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "14d + 1d per move, at most 21d", "flag": "claim", "vacation": true, "takeback": true, "rated": true}','{"left": {"discord:1499742181785600006": 1641600000, "discord:1499742181785600007": 1641600000}, "to_act": ["discord:1499742181785600006"], "ends": {"discord:1499742181785600006": 1779365100000}, "fell": {}, "away": [], "paused": false, "offer": null, "declined": false, "added": {"discord:1499742181785600006": [86400000, 86400000, 86400000, 86400000, 86400000], "discord:1499742181785600007": [86400000, 86400000, 86400000, 86400000, 86400000]}}',1779365100000,0,1778954700000,1777809960000,1777723500000,0,NULL,0);
INSERT INTO "matches" VALUES(17,17,'discord:1499742181785600003','discord:1499742181785600005','morphos',1,'{"mutators": "ac", "size": 19}','playing','discord:1499742181785600007','discord:1499742181785600006',1,2,1,'morphos ac 19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/b18 w 1 -','discord:1499742181785600006',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,NULL,0);
INSERT INTO "matches" VALUES(18,18,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 119, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -','discord:1499742181785600006',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,4,0);
INSERT INTO "matches" VALUES(19,19,'discord:1499742181785600003','discord:1499742181785600005','morabaraba',1,'{"men": 12}','playing','discord:1499742181785600006','discord:1499742181785600007',2,3,2,'morabaraba 12 2r/3/3/6/3/3/w2 w 11,11 -','discord:1499742181785600006',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,5,0);
INSERT INTO "matches" VALUES(20,20,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 126, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -','discord:1499742181785600006',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777809960000,1777723500000,0,6,0);
INSERT INTO "matches" VALUES(21,21,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 133, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -','discord:1499742181785600006',NULL,NULL,1777723500000,1777723500000,NULL,'{"pace": "1d per move", "flag": "claim", "vacation": true, "takeback": true, "rated": true}','{"left": {"discord:1499742181785600006": 0, "discord:1499742181785600007": 86400000}, "to_act": ["discord:1499742181785600006"], "ends": {}, "fell": {"discord:1499742181785600006": 1777809900000}, "away": [], "paused": false, "offer": null, "declined": false, "added": {}}',NULL,0,NULL,1777809960000,1777723500000,0,NULL,0);
INSERT INTO "matches" VALUES(22,22,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 140, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',1,2,1,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -','discord:1499742181785600007',NULL,NULL,1777809960000,1777809960000,NULL,'{"pace": "14d in all", "flag": "claim", "vacation": true, "takeback": true, "rated": true}','{"left": {"discord:1499742181785600006": 1209600000, "discord:1499742181785600007": 1209600000}, "to_act": ["discord:1499742181785600007"], "ends": {}, "fell": {}, "away": [], "paused": true, "offer": null, "declined": false, "added": {}}',NULL,0,NULL,1777896660000,1777809960000,0,NULL,0);
INSERT INTO "matches" VALUES(23,23,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 147, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',0,1,0,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w7w/w7w/bbbbbbbbw b -','discord:1499742181785600006',NULL,NULL,1777809960000,1777809960000,NULL,'{"pace": "14d in all", "flag": "claim", "vacation": true, "takeback": true, "rated": true}','{"left": {"discord:1499742181785600006": 1209600000, "discord:1499742181785600007": 1209600000}, "to_act": ["discord:1499742181785600006"], "ends": {"discord:1499742181785600006": 1779019560000}, "fell": {}, "away": [], "paused": false, "offer": "discord:1499742181785600006", "declined": false, "added": {}}',1779019560000,0,1778717160000,1777896660000,1777809960000,0,NULL,0);
INSERT INTO "matches" VALUES(24,24,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 154, "setup": "facing", "size": 9}','playing','discord:1499742181785600009','discord:1499742181785600008',1,2,1,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -','discord:1499742181785600008',NULL,NULL,1777809960000,1777809960000,NULL,'{"pace": "9d per move", "flag": "claim", "vacation": true, "takeback": true, "rated": true}','{"left": {"discord:1499742181785600009": 777600000, "discord:1499742181785600008": 777600000}, "to_act": ["discord:1499742181785600008"], "ends": {}, "fell": {}, "away": ["discord:1499742181785600008"], "paused": false, "offer": null, "declined": false, "added": {}}',NULL,0,NULL,1777896660000,1777809960000,0,NULL,0);
INSERT INTO "matches" VALUES(25,25,'discord:1499742181785600003','discord:1499742181785600005','morabaraba',1,'{"men": 12}','playing','discord:1499742181785600006','discord:1499742181785600007',3,4,3,'morabaraba 12 2r/3/3/6/1w1/3/w2 r 10,11 -','discord:1499742181785600007',NULL,NULL,1777809960000,1777809960000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": false, "rated": false}',NULL,NULL,0,NULL,1777896660000,1777809960000,0,NULL,0);
INSERT INTO "matches" VALUES(26,26,'discord:1499742181785600003','discord:1499742181785600005','morabaraba',1,'{"men": 11}','playing','discord:1499742181785600008','discord:1499742181785600007',2,3,2,'morabaraba 11 2r/3/3/6/3/3/w2 w 10,10 -','discord:1499742181785600008',NULL,NULL,1777809960000,1777809960000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777896660000,1777809960000,0,NULL,0);
INSERT INTO "matches" VALUES(27,27,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 161, "setup": "adjacent", "size": 13}','playing','discord:1499742181785600007','discord:1499742181785600008',1,2,1,'morelli nestor bwwwwwwwwwwww/b11w/b11w/b11w/b11w/b11w/b11w/b11w/b11w/b11w/b11w/bb10w/1bbbbbbbbbbbw w -','discord:1499742181785600008',NULL,NULL,1777809960000,1777809960000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777896660000,1777809960000,0,NULL,0);
INSERT INTO "matches" VALUES(28,28,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 168, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600009',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -','discord:1499742181785600006',NULL,NULL,1777809960000,1777809960000,NULL,'{"pace": "4d per move", "flag": "lost", "vacation": true, "takeback": true, "rated": true}','{"left": {"discord:1499742181785600006": 345600000, "discord:1499742181785600009": 345600000}, "to_act": ["discord:1499742181785600006"], "ends": {"discord:1499742181785600006": 1778155560000}, "fell": {}, "away": [], "paused": false, "offer": null, "declined": false, "added": {}}',1778155560000,0,1778069160000,1777896660000,1777809960000,0,NULL,0);
INSERT INTO "matches" VALUES(29,29,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 175, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',6,7,6,'morelli nestor wbb1bbbbb/w7w/w7w/w2bw4/5w2w/w2b1b2w/w7w/w6w1/bbb1b1bbw b -','discord:1499742181785600006',NULL,NULL,1777809960000,1777809960000,NULL,'{"pace": "none", "flag": "claim", "vacation": true, "takeback": true, "rated": true}',NULL,NULL,0,NULL,1777896660000,1777809960000,0,NULL,0);
INSERT INTO "matches" VALUES(30,30,'discord:1499742181785600003','discord:1499742181785600005','morelli',1,'{"edition": "nestor", "seed": 182, "setup": "facing", "size": 9}','playing','discord:1499742181785600006','discord:1499742181785600007',2,3,2,'morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -','discord:1499742181785600006',NULL,NULL,1777809960000,1777896660000,NULL,'{"pace": "4d per move", "flag": "claim", "vacation": true, "takeback": true, "rated": true}','{"left": {"discord:1499742181785600006": 345600000, "discord:1499742181785600007": 345600000}, "to_act": ["discord:1499742181785600006"], "ends": {"discord:1499742181785600006": 1778242260000}, "fell": {}, "away": [], "paused": false, "offer": null, "declined": false, "added": {}}',1778242260000,1,1777896720000,1777896660000,1777896660000,1,NULL,0);
CREATE TABLE moves (
	"match" INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	turn INTEGER NOT NULL, 
	side TEXT NOT NULL, 
	person TEXT NOT NULL, 
	text TEXT NOT NULL, 
	position TEXT NOT NULL, 
	played_at BIGINT NOT NULL,
	CONSTRAINT fk_moves_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_moves_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_moves PRIMARY KEY ("match", ply)
)
 WITHOUT ROWID

;
INSERT INTO "moves" VALUES(1,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777636800000);
INSERT INTO "moves" VALUES(2,1,1,'black','discord:1499742181785600007','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777636800000);
INSERT INTO "moves" VALUES(2,2,2,'white','discord:1499742181785600008','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777636800000);
INSERT INTO "moves" VALUES(3,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777637040000);
INSERT INTO "moves" VALUES(3,2,2,'white','discord:1499742181785600007','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777637040000);
INSERT INTO "moves" VALUES(3,3,3,'black','discord:1499742181785600006','F1-F4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b1b2w/w7w/w7w/bbb1b1bbw w -',1777637040000);
INSERT INTO "moves" VALUES(3,4,4,'white','discord:1499742181785600007','I2-H2','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b1b2w/w7w/w6w1/bbb1b1bbw b -',1777637040000);
INSERT INTO "moves" VALUES(3,5,5,'black','discord:1499742181785600006','D9-D6','morelli nestor wbb1bbbbb/w7w/w7w/w2b4w/5w2w/w2b1b2w/w7w/w6w1/bbb1b1bbw w -',1777637040000);
INSERT INTO "moves" VALUES(3,6,6,'white','discord:1499742181785600007','I6-E6','morelli nestor wbb1bbbbb/w7w/w7w/w2bw4/5w2w/w2b1b2w/w7w/w6w1/bbb1b1bbw b -',1777637040000);
INSERT INTO "moves" VALUES(4,1,1,'white','discord:1499742181785600007','A1','morabaraba 12 3/3/3/6/3/3/w2 r 11,12 -',1777637040000);
INSERT INTO "moves" VALUES(4,2,2,'red','discord:1499742181785600006','G7','morabaraba 12 2r/3/3/6/3/3/w2 w 11,11 -',1777637040000);
INSERT INTO "moves" VALUES(5,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777637040000);
INSERT INTO "moves" VALUES(5,2,2,'white','discord:1499742181785600008','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777637040000);
INSERT INTO "moves" VALUES(6,1,1,'black','discord:1499742181785600008','A1','morphos - 5/5/5/5/b4 w 1 -',1777637040000);
INSERT INTO "moves" VALUES(6,2,2,'white','discord:1499742181785600007','B2','morphos - 5/5/5/1w3/b4 b 2 -',1777637040000);
INSERT INTO "moves" VALUES(6,3,3,'black','discord:1499742181785600008','C3','morphos - 5/5/2b2/1w3/b4 w 3 -',1777637040000);
INSERT INTO "moves" VALUES(8,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777637040000);
INSERT INTO "moves" VALUES(8,2,2,'white','discord:1499742181785600007','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777637040000);
INSERT INTO "moves" VALUES(9,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777637040000);
INSERT INTO "moves" VALUES(9,2,2,'white','discord:1499742181785600009','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777637040000);
INSERT INTO "moves" VALUES(10,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777723500000);
INSERT INTO "moves" VALUES(11,1,1,'black','discord:1499742181785600006','A1-B2','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/ww6w/1b1b4w/1b1bbbbbw w -',1777723500000);
INSERT INTO "moves" VALUES(12,1,1,'black','discord:1499742181785600006','A1','morelli nestor 9/9/9/9/9/9/9/9/b8 w free',1777723500000);
INSERT INTO "moves" VALUES(12,2,2,'white','discord:1499742181785600007','A2','morelli nestor 9/9/9/9/9/9/9/w8/b8 w free',1777723500000);
INSERT INTO "moves" VALUES(13,1,1,'black','discord:1499742181785600006','A1','morelli 2015 8w/9/9/9/9/9/9/9/b8 w pairs',1777723500000);
INSERT INTO "moves" VALUES(13,2,2,'white','discord:1499742181785600007','A2','morelli 2015 8w/8b/9/9/9/9/9/w8/b8 b pairs',1777723500000);
INSERT INTO "moves" VALUES(13,3,3,'black','discord:1499742181785600006','A3','morelli 2015 8w/8b/8w/9/9/9/b8/w8/b8 w pairs',1777723500000);
INSERT INTO "moves" VALUES(15,1,1,'black','discord:1499742181785600007','A2-B2','morelli mindsports wbwbwwwbb/b7w/w7w/w7b/w7b/w7b/b7b/1b6w/wwbbbwbwb w -',1777723500000);
INSERT INTO "moves" VALUES(15,2,2,'white','discord:1499742181785600006','A4-B3','morelli mindsports wbwbwwwbb/b7w/w7w/w7b/w7b/8b/bw6b/1w6w/wwbbbwbwb b -',1777723500000);
INSERT INTO "moves" VALUES(15,3,3,'black','discord:1499742181785600007','A3-B4','morelli mindsports wbwbwwwbb/b7w/w7w/w7b/w7b/1b6b/1w6b/1w6w/wwbbbwbwb w -',1777896660000);
INSERT INTO "moves" VALUES(16,1,1,'black','discord:1499742181785600006','D5','morphos bd 3b1/5/5/5/5 w 1 -',1777723500000);
INSERT INTO "moves" VALUES(16,2,2,'white','discord:1499742181785600007','C1','morphos bd 3b1/5/5/5/2w2 b 2 -',1777723500000);
INSERT INTO "moves" VALUES(16,3,3,'black','discord:1499742181785600006','B4','morphos bd 3b1/1b3/5/5/2w2 w 3 -',1777723500000);
INSERT INTO "moves" VALUES(16,4,4,'white','discord:1499742181785600007','C3','morphos bd 3b1/1b3/2w2/5/2w2 b 4 -',1777723500000);
INSERT INTO "moves" VALUES(16,5,5,'black','discord:1499742181785600006','B5','morphos bd 1b1b1/1b3/2w2/5/2w2 w 5 -',1777723500000);
INSERT INTO "moves" VALUES(16,6,6,'white','discord:1499742181785600007','C4','morphos bd 1b1b1/1bw2/2w2/5/2w2 b 6 -',1777723500000);
INSERT INTO "moves" VALUES(16,7,7,'black','discord:1499742181785600006','D4','morphos bd 1b1b1/1bwb1/2w2/5/2w2 w 7 -',1777723500000);
INSERT INTO "moves" VALUES(16,8,8,'white','discord:1499742181785600007','A1','morphos bd 1b1b1/1bwb1/2w2/5/w1w2 b 8 -',1777723500000);
INSERT INTO "moves" VALUES(16,9,9,'black','discord:1499742181785600006','E4','morphos bd 1b1b1/1bwbb/2w2/5/w1w2 w 9 -',1777723500000);
INSERT INTO "moves" VALUES(16,10,10,'white','discord:1499742181785600007','E5','morphos bd 1b1bw/1bwbb/2w2/5/w1w2 b 10 -',1777723500000);
INSERT INTO "moves" VALUES(17,1,1,'black','discord:1499742181785600007','A1','morphos ac 19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/b18 w 1 -',1777723500000);
INSERT INTO "moves" VALUES(18,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777723500000);
INSERT INTO "moves" VALUES(18,2,2,'white','discord:1499742181785600007','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777723500000);
INSERT INTO "moves" VALUES(19,1,1,'white','discord:1499742181785600006','A1','morabaraba 12 3/3/3/6/3/3/w2 r 11,12 -',1777723500000);
INSERT INTO "moves" VALUES(19,2,2,'red','discord:1499742181785600007','G7','morabaraba 12 2r/3/3/6/3/3/w2 w 11,11 -',1777723500000);
INSERT INTO "moves" VALUES(20,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777723500000);
INSERT INTO "moves" VALUES(20,2,2,'white','discord:1499742181785600007','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777723500000);
INSERT INTO "moves" VALUES(21,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777723500000);
INSERT INTO "moves" VALUES(21,2,2,'white','discord:1499742181785600007','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777723500000);
INSERT INTO "moves" VALUES(22,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777809960000);
INSERT INTO "moves" VALUES(24,1,1,'black','discord:1499742181785600009','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777809960000);
INSERT INTO "moves" VALUES(25,1,1,'white','discord:1499742181785600006','A1','morabaraba 12 3/3/3/6/3/3/w2 r 11,12 -',1777809960000);
INSERT INTO "moves" VALUES(25,2,2,'red','discord:1499742181785600007','G7','morabaraba 12 2r/3/3/6/3/3/w2 w 11,11 -',1777809960000);
INSERT INTO "moves" VALUES(25,3,3,'white','discord:1499742181785600006','D3','morabaraba 12 2r/3/3/6/1w1/3/w2 r 10,11 -',1777809960000);
INSERT INTO "moves" VALUES(26,1,1,'white','discord:1499742181785600008','A1','morabaraba 11 3/3/3/6/3/3/w2 r 10,11 -',1777809960000);
INSERT INTO "moves" VALUES(26,2,2,'red','discord:1499742181785600007','G7','morabaraba 11 2r/3/3/6/3/3/w2 w 10,10 -',1777809960000);
INSERT INTO "moves" VALUES(27,1,1,'black','discord:1499742181785600007','A1-B2','morelli nestor bwwwwwwwwwwww/b11w/b11w/b11w/b11w/b11w/b11w/b11w/b11w/b11w/b11w/bb10w/1bbbbbbbbbbbw w -',1777809960000);
INSERT INTO "moves" VALUES(28,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777809960000);
INSERT INTO "moves" VALUES(28,2,2,'white','discord:1499742181785600009','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777809960000);
INSERT INTO "moves" VALUES(29,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777809960000);
INSERT INTO "moves" VALUES(29,2,2,'white','discord:1499742181785600007','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777809960000);
INSERT INTO "moves" VALUES(29,3,3,'black','discord:1499742181785600006','F1-F4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b1b2w/w7w/w7w/bbb1b1bbw w -',1777809960000);
INSERT INTO "moves" VALUES(29,4,4,'white','discord:1499742181785600007','I2-H2','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b1b2w/w7w/w6w1/bbb1b1bbw b -',1777809960000);
INSERT INTO "moves" VALUES(29,5,5,'black','discord:1499742181785600006','D9-D6','morelli nestor wbb1bbbbb/w7w/w7w/w2b4w/5w2w/w2b1b2w/w7w/w6w1/bbb1b1bbw w -',1777809960000);
INSERT INTO "moves" VALUES(29,6,6,'white','discord:1499742181785600007','I6-E6','morelli nestor wbb1bbbbb/w7w/w7w/w2bw4/5w2w/w2b1b2w/w7w/w6w1/bbb1b1bbw b -',1777809960000);
INSERT INTO "moves" VALUES(30,1,1,'black','discord:1499742181785600006','D1-D4','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w2b4w/w7w/w7w/bbb1bbbbw w -',1777809960000);
INSERT INTO "moves" VALUES(30,2,2,'white','discord:1499742181785600007','A5-F5','morelli nestor wbbbbbbbb/w7w/w7w/w7w/5w2w/w2b4w/w7w/w7w/bbb1bbbbw b -',1777896660000);
CREATE TABLE notes (
	"match" INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	text TEXT NOT NULL, 
	changed_at BIGINT NOT NULL,
	CONSTRAINT fk_notes_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_notes_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_notes PRIMARY KEY ("match", person)
);
INSERT INTO "notes" VALUES(30,'discord:1499742181785600006','Watch the centre.',1777896660000);
INSERT INTO "notes" VALUES(30,'discord:1499742181785600007','She likes the F file.',1777896660000);
CREATE TABLE offers (
	id INTEGER NOT NULL, 
	"match" INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	ply INTEGER NOT NULL, 
	takebacks INTEGER NOT NULL, 
	made_at BIGINT NOT NULL, 
	answer TEXT, 
	answered_at BIGINT,
	CONSTRAINT fk_offers_by FOREIGN KEY("by") REFERENCES people (account),
	CONSTRAINT fk_offers_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT pk_offers PRIMARY KEY (id)
);
INSERT INTO "offers" VALUES(1,4,'draw','discord:1499742181785600007',2,0,1777637040000,'accepted',1777637040000);
INSERT INTO "offers" VALUES(2,8,'end','discord:1499742181785600006',2,0,1777637040000,'accepted',1777637040000);
INSERT INTO "offers" VALUES(3,10,'takeback','discord:1499742181785600006',2,0,1777723500000,'accepted',1777723500000);
INSERT INTO "offers" VALUES(4,18,'end','discord:1499742181785600006',2,0,1777723500000,NULL,NULL);
INSERT INTO "offers" VALUES(5,19,'draw','discord:1499742181785600006',2,0,1777723500000,NULL,NULL);
INSERT INTO "offers" VALUES(6,20,'takeback','discord:1499742181785600006',2,0,1777723500000,NULL,NULL);
CREATE TABLE "outbox" (
	id INTEGER NOT NULL, 
	kind TEXT NOT NULL, 
	challenge INTEGER, 
	"match" INTEGER, 
	ply INTEGER NOT NULL, 
	first_ply INTEGER, 
	"by" TEXT NOT NULL, 
	whom TEXT NOT NULL, 
	server TEXT NOT NULL, 
	place TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	due_at BIGINT NOT NULL, 
	attempts INTEGER DEFAULT '0' NOT NULL, 
	sent_at BIGINT, 
	post TEXT, 
	details TEXT, 
	"to" TEXT, takebacks INTEGER DEFAULT '0' NOT NULL,
	CONSTRAINT ck_outbox_one_subject CHECK ((challenge IS NULL) <> (match IS NULL) OR (challenge IS NULL AND "to" IS NOT NULL)),
	CONSTRAINT fk_outbox_by FOREIGN KEY("by") REFERENCES people (account),
	CONSTRAINT fk_outbox_challenge FOREIGN KEY(challenge) REFERENCES challenges (id),
	CONSTRAINT fk_outbox_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_outbox_to FOREIGN KEY("to") REFERENCES people (account),
	CONSTRAINT pk_outbox PRIMARY KEY (id)
);
INSERT INTO "outbox" VALUES(1,'challenged',1,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777636800000,1777636820000,0,1777636800000,'1499742181785600005/1499742181785600107',NULL,NULL,0);
INSERT INTO "outbox" VALUES(2,'started',NULL,1,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600107',1777636800000,1777636820000,0,1777636800000,'1499742181785600107/1499742181785600109',NULL,NULL,0);
INSERT INTO "outbox" VALUES(3,'turn',NULL,1,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600107',1777636800000,1777636820000,0,1777636800000,'1499742181785600107/1499742181785600113',NULL,NULL,0);
INSERT INTO "outbox" VALUES(4,'challenged',2,NULL,0,NULL,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777636800000,1777636820000,0,1777636800000,'1499742181785600005/1499742181785600116',NULL,NULL,0);
INSERT INTO "outbox" VALUES(5,'started',NULL,2,0,NULL,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600116',1777636800000,1777636820000,0,1777636800000,'1499742181785600116/1499742181785600118',NULL,NULL,0);
INSERT INTO "outbox" VALUES(6,'turn',NULL,2,1,1,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600116',1777636800000,1777636820000,0,1777636800000,'1499742181785600116/1499742181785600122',NULL,NULL,0);
INSERT INTO "outbox" VALUES(7,'turn',NULL,2,2,2,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600116',1777636800000,1777636820000,0,1777636800000,'1499742181785600116/1499742181785600126',NULL,NULL,0);
INSERT INTO "outbox" VALUES(8,'resigned',NULL,2,2,NULL,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600116',1777636800000,1777636820000,0,1777636800000,'1499742181785600116/1499742181785600131',NULL,NULL,0);
INSERT INTO "outbox" VALUES(9,'challenged',3,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560004',NULL,NULL,0);
INSERT INTO "outbox" VALUES(10,'started',NULL,3,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560006',NULL,NULL,0);
INSERT INTO "outbox" VALUES(11,'turn',NULL,3,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560009',NULL,NULL,0);
INSERT INTO "outbox" VALUES(12,'turn',NULL,3,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560012',NULL,NULL,0);
INSERT INTO "outbox" VALUES(13,'turn',NULL,3,3,3,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560015',NULL,NULL,0);
INSERT INTO "outbox" VALUES(14,'turn',NULL,3,4,4,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560018',NULL,NULL,0);
INSERT INTO "outbox" VALUES(15,'turn',NULL,3,5,5,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560021',NULL,NULL,0);
INSERT INTO "outbox" VALUES(16,'turn',NULL,3,6,6,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560024',NULL,NULL,0);
INSERT INTO "outbox" VALUES(17,'resigned',NULL,3,6,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560029',NULL,NULL,0);
INSERT INTO "outbox" VALUES(18,'challenged',4,NULL,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560032',NULL,NULL,0);
INSERT INTO "outbox" VALUES(19,'started',NULL,4,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560034',NULL,NULL,0);
INSERT INTO "outbox" VALUES(20,'turn',NULL,4,1,1,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560037',NULL,NULL,0);
INSERT INTO "outbox" VALUES(21,'turn',NULL,4,2,2,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560040',NULL,NULL,0);
INSERT INTO "outbox" VALUES(22,'offered',NULL,4,2,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560043','{"offer": 1, "what": "draw"}',NULL,0);
INSERT INTO "outbox" VALUES(23,'agreed',NULL,4,2,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560045','{"offer": 1, "what": "draw"}',NULL,0);
INSERT INTO "outbox" VALUES(24,'challenged',5,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560048',NULL,NULL,0);
INSERT INTO "outbox" VALUES(25,'started',NULL,5,0,NULL,'discord:1499742181785600008','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560050',NULL,NULL,0);
INSERT INTO "outbox" VALUES(26,'turn',NULL,5,1,1,'discord:1499742181785600006','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560053',NULL,NULL,0);
INSERT INTO "outbox" VALUES(27,'turn',NULL,5,2,2,'discord:1499742181785600008','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560056',NULL,NULL,0);
INSERT INTO "outbox" VALUES(28,'resigned',NULL,5,2,NULL,'discord:1499742181785600006','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560061',NULL,NULL,0);
INSERT INTO "outbox" VALUES(29,'corrected',NULL,5,2,NULL,'discord:1499742181785600010','["discord:1499742181785600006", "discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560064','{"outcome": "black", "why": "A slip of the hand."}',NULL,0);
INSERT INTO "outbox" VALUES(30,'challenged',6,NULL,0,NULL,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560066',NULL,NULL,0);
INSERT INTO "outbox" VALUES(31,'started',NULL,6,0,NULL,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560068',NULL,NULL,0);
INSERT INTO "outbox" VALUES(32,'turn',NULL,6,1,1,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560071',NULL,NULL,0);
INSERT INTO "outbox" VALUES(33,'turn',NULL,6,2,2,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560074',NULL,NULL,0);
INSERT INTO "outbox" VALUES(34,'turn',NULL,6,3,3,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560077',NULL,NULL,0);
INSERT INTO "outbox" VALUES(35,'resigned',NULL,6,3,NULL,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560082',NULL,NULL,0);
INSERT INTO "outbox" VALUES(36,'corrected',NULL,6,3,NULL,'discord:1499742181785600010','["discord:1499742181785600008", "discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560085','{"outcome": "", "why": "Both agreed."}',NULL,0);
INSERT INTO "outbox" VALUES(37,'challenged',7,NULL,0,NULL,'discord:1499742181785600009','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560087',NULL,NULL,0);
INSERT INTO "outbox" VALUES(38,'started',NULL,7,0,NULL,'discord:1499742181785600006','["discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560089',NULL,NULL,0);
INSERT INTO "outbox" VALUES(39,'aborted',NULL,7,0,NULL,'discord:1499742181785600006','["discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560094',NULL,NULL,0);
INSERT INTO "outbox" VALUES(40,'challenged',8,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560097',NULL,NULL,0);
INSERT INTO "outbox" VALUES(41,'started',NULL,8,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560099',NULL,NULL,0);
INSERT INTO "outbox" VALUES(42,'turn',NULL,8,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560102',NULL,NULL,0);
INSERT INTO "outbox" VALUES(43,'turn',NULL,8,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560105',NULL,NULL,0);
INSERT INTO "outbox" VALUES(44,'offered',NULL,8,2,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560108','{"offer": 2, "what": "end"}',NULL,0);
INSERT INTO "outbox" VALUES(45,'agreed',NULL,8,2,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560110','{"offer": 2, "what": "end"}',NULL,0);
INSERT INTO "outbox" VALUES(46,'challenged',9,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560113',NULL,NULL,0);
INSERT INTO "outbox" VALUES(47,'started',NULL,9,0,NULL,'discord:1499742181785600009','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560115',NULL,NULL,0);
INSERT INTO "outbox" VALUES(48,'turn',NULL,9,1,1,'discord:1499742181785600006','["discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560118',NULL,NULL,0);
INSERT INTO "outbox" VALUES(49,'turn',NULL,9,2,2,'discord:1499742181785600009','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777637040000,1777637060000,0,1777637040000,'1499742181785600005/1499743188418560121',NULL,NULL,0);
INSERT INTO "outbox" VALUES(50,'timed_out',NULL,9,2,NULL,'discord:1499742181785600006','["discord:1499742181785600006", "discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723560000,1,1777723500000,'1499742181785600005/1500105827942400000',NULL,NULL,0);
INSERT INTO "outbox" VALUES(51,'challenged',10,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400003',NULL,NULL,0);
INSERT INTO "outbox" VALUES(52,'started',NULL,10,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400005',NULL,NULL,0);
INSERT INTO "outbox" VALUES(53,'turn',NULL,10,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400008',NULL,NULL,0);
INSERT INTO "outbox" VALUES(54,'turn',NULL,10,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400011',NULL,NULL,0);
INSERT INTO "outbox" VALUES(55,'offered',NULL,10,2,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400014','{"offer": 3, "what": "takeback"}',NULL,0);
INSERT INTO "outbox" VALUES(56,'taken_back',NULL,10,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400016','{"offer": 3, "what": "takeback"}',NULL,1);
INSERT INTO "outbox" VALUES(57,'turn',NULL,10,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400019',NULL,NULL,1);
INSERT INTO "outbox" VALUES(58,'challenged',11,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400029',NULL,NULL,0);
INSERT INTO "outbox" VALUES(59,'started',NULL,11,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400031',NULL,NULL,0);
INSERT INTO "outbox" VALUES(60,'turn',NULL,11,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400034',NULL,NULL,0);
INSERT INTO "outbox" VALUES(61,'challenged',12,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400039',NULL,NULL,0);
INSERT INTO "outbox" VALUES(62,'started',NULL,12,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400041',NULL,NULL,0);
INSERT INTO "outbox" VALUES(63,'turn',NULL,12,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400044',NULL,NULL,0);
INSERT INTO "outbox" VALUES(64,'challenged',13,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400050',NULL,NULL,0);
INSERT INTO "outbox" VALUES(65,'started',NULL,13,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400052',NULL,NULL,0);
INSERT INTO "outbox" VALUES(66,'turn',NULL,13,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400055',NULL,NULL,0);
INSERT INTO "outbox" VALUES(67,'turn',NULL,13,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400058',NULL,NULL,0);
INSERT INTO "outbox" VALUES(68,'turn',NULL,13,3,3,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400061',NULL,NULL,0);
INSERT INTO "outbox" VALUES(69,'challenged',14,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400064',NULL,NULL,0);
INSERT INTO "outbox" VALUES(70,'fists',NULL,14,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006", "discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400066',NULL,NULL,0);
INSERT INTO "outbox" VALUES(71,'challenged',15,NULL,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400073',NULL,NULL,0);
INSERT INTO "outbox" VALUES(72,'started',NULL,15,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400075',NULL,NULL,0);
INSERT INTO "outbox" VALUES(73,'turn',NULL,15,1,1,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400078',NULL,NULL,0);
INSERT INTO "outbox" VALUES(74,'turn',NULL,15,2,2,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400081',NULL,NULL,0);
INSERT INTO "outbox" VALUES(75,'challenged',16,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400084',NULL,NULL,0);
INSERT INTO "outbox" VALUES(76,'started',NULL,16,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400086',NULL,NULL,0);
INSERT INTO "outbox" VALUES(77,'turn',NULL,16,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400089',NULL,NULL,0);
INSERT INTO "outbox" VALUES(78,'turn',NULL,16,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400092',NULL,NULL,0);
INSERT INTO "outbox" VALUES(79,'turn',NULL,16,3,3,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400095',NULL,NULL,0);
INSERT INTO "outbox" VALUES(80,'turn',NULL,16,4,4,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400098',NULL,NULL,0);
INSERT INTO "outbox" VALUES(81,'turn',NULL,16,5,5,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400101',NULL,NULL,0);
INSERT INTO "outbox" VALUES(82,'turn',NULL,16,6,6,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400104',NULL,NULL,0);
INSERT INTO "outbox" VALUES(83,'turn',NULL,16,7,7,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400107',NULL,NULL,0);
INSERT INTO "outbox" VALUES(84,'turn',NULL,16,8,8,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400110',NULL,NULL,0);
INSERT INTO "outbox" VALUES(85,'turn',NULL,16,9,9,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400113',NULL,NULL,0);
INSERT INTO "outbox" VALUES(86,'turn',NULL,16,10,10,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400116',NULL,NULL,0);
INSERT INTO "outbox" VALUES(87,'challenged',17,NULL,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400119',NULL,NULL,0);
INSERT INTO "outbox" VALUES(88,'started',NULL,17,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400121',NULL,NULL,0);
INSERT INTO "outbox" VALUES(89,'turn',NULL,17,1,1,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400124',NULL,NULL,0);
INSERT INTO "outbox" VALUES(90,'challenged',18,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400127',NULL,NULL,0);
INSERT INTO "outbox" VALUES(91,'started',NULL,18,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400129',NULL,NULL,0);
INSERT INTO "outbox" VALUES(92,'turn',NULL,18,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400132',NULL,NULL,0);
INSERT INTO "outbox" VALUES(93,'turn',NULL,18,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400135',NULL,NULL,0);
INSERT INTO "outbox" VALUES(94,'offered',NULL,18,2,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400138','{"offer": 4, "what": "end"}',NULL,0);
INSERT INTO "outbox" VALUES(95,'challenged',19,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400140',NULL,NULL,0);
INSERT INTO "outbox" VALUES(96,'started',NULL,19,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400142',NULL,NULL,0);
INSERT INTO "outbox" VALUES(97,'turn',NULL,19,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400145',NULL,NULL,0);
INSERT INTO "outbox" VALUES(98,'turn',NULL,19,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400148',NULL,NULL,0);
INSERT INTO "outbox" VALUES(99,'offered',NULL,19,2,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400151','{"offer": 5, "what": "draw"}',NULL,0);
INSERT INTO "outbox" VALUES(100,'challenged',20,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400153',NULL,NULL,0);
INSERT INTO "outbox" VALUES(101,'started',NULL,20,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400155',NULL,NULL,0);
INSERT INTO "outbox" VALUES(102,'turn',NULL,20,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400158',NULL,NULL,0);
INSERT INTO "outbox" VALUES(103,'turn',NULL,20,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400161',NULL,NULL,0);
INSERT INTO "outbox" VALUES(104,'offered',NULL,20,2,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400164','{"offer": 6, "what": "takeback"}',NULL,0);
INSERT INTO "outbox" VALUES(105,'challenged',21,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400166',NULL,NULL,0);
INSERT INTO "outbox" VALUES(106,'started',NULL,21,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400168',NULL,NULL,0);
INSERT INTO "outbox" VALUES(107,'turn',NULL,21,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400171',NULL,NULL,0);
INSERT INTO "outbox" VALUES(108,'turn',NULL,21,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777723500000,1777723520000,0,1777723500000,'1499742181785600005/1500105827942400174',NULL,NULL,0);
INSERT INTO "outbox" VALUES(109,'flagged',NULL,21,2,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777810020000,1,1777809960000,'1499742181785600005/1500468467466240000',NULL,NULL,0);
INSERT INTO "outbox" VALUES(110,'challenged',22,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240002',NULL,NULL,0);
INSERT INTO "outbox" VALUES(111,'started',NULL,22,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240004',NULL,NULL,0);
INSERT INTO "outbox" VALUES(112,'turn',NULL,22,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240007',NULL,NULL,0);
INSERT INTO "outbox" VALUES(113,'pause_offered',NULL,22,1,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240010',NULL,NULL,0);
INSERT INTO "outbox" VALUES(114,'paused',NULL,22,1,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240012',NULL,NULL,0);
INSERT INTO "outbox" VALUES(115,'challenged',23,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240014',NULL,NULL,0);
INSERT INTO "outbox" VALUES(116,'started',NULL,23,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240016',NULL,NULL,0);
INSERT INTO "outbox" VALUES(117,'pause_offered',NULL,23,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240019',NULL,NULL,0);
INSERT INTO "outbox" VALUES(118,'challenged',24,NULL,0,NULL,'discord:1499742181785600009','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240021',NULL,NULL,0);
INSERT INTO "outbox" VALUES(119,'started',NULL,24,0,NULL,'discord:1499742181785600008','["discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240023',NULL,NULL,0);
INSERT INTO "outbox" VALUES(120,'turn',NULL,24,1,1,'discord:1499742181785600009','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240026',NULL,NULL,0);
INSERT INTO "outbox" VALUES(121,'away',NULL,24,1,NULL,'discord:1499742181785600008','["discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777896720000,1,1777896660000,'1499742181785600005/1500832113623040000','{"matches": "24", "until": 1780401960000}',NULL,0);
INSERT INTO "outbox" VALUES(122,'challenged',25,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240036',NULL,NULL,0);
INSERT INTO "outbox" VALUES(123,'started',NULL,25,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240038',NULL,NULL,0);
INSERT INTO "outbox" VALUES(124,'turn',NULL,25,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240041',NULL,NULL,0);
INSERT INTO "outbox" VALUES(125,'turn',NULL,25,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240044',NULL,NULL,0);
INSERT INTO "outbox" VALUES(126,'turn',NULL,25,3,3,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240047',NULL,NULL,0);
INSERT INTO "outbox" VALUES(127,'challenged',26,NULL,0,NULL,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240050',NULL,NULL,0);
INSERT INTO "outbox" VALUES(128,'started',NULL,26,0,NULL,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240052',NULL,NULL,0);
INSERT INTO "outbox" VALUES(129,'turn',NULL,26,1,1,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240055',NULL,NULL,0);
INSERT INTO "outbox" VALUES(130,'turn',NULL,26,2,2,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240058',NULL,NULL,0);
INSERT INTO "outbox" VALUES(131,'challenged',27,NULL,0,NULL,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240061',NULL,NULL,0);
INSERT INTO "outbox" VALUES(132,'started',NULL,27,0,NULL,'discord:1499742181785600008','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240063',NULL,NULL,0);
INSERT INTO "outbox" VALUES(133,'turn',NULL,27,1,1,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240066',NULL,NULL,0);
INSERT INTO "outbox" VALUES(134,'challenged',28,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240069',NULL,NULL,0);
INSERT INTO "outbox" VALUES(135,'started',NULL,28,0,NULL,'discord:1499742181785600009','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240071',NULL,NULL,0);
INSERT INTO "outbox" VALUES(136,'turn',NULL,28,1,1,'discord:1499742181785600006','["discord:1499742181785600009"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240074',NULL,NULL,0);
INSERT INTO "outbox" VALUES(137,'turn',NULL,28,2,2,'discord:1499742181785600009','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240077',NULL,NULL,0);
INSERT INTO "outbox" VALUES(138,'challenged',29,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240080',NULL,NULL,0);
INSERT INTO "outbox" VALUES(139,'started',NULL,29,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240082',NULL,NULL,0);
INSERT INTO "outbox" VALUES(140,'turn',NULL,29,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240085',NULL,NULL,0);
INSERT INTO "outbox" VALUES(141,'turn',NULL,29,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240088',NULL,NULL,0);
INSERT INTO "outbox" VALUES(142,'turn',NULL,29,3,3,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240091',NULL,NULL,0);
INSERT INTO "outbox" VALUES(143,'turn',NULL,29,4,4,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240094',NULL,NULL,0);
INSERT INTO "outbox" VALUES(144,'turn',NULL,29,5,5,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240097',NULL,NULL,0);
INSERT INTO "outbox" VALUES(145,'turn',NULL,29,6,6,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240100',NULL,NULL,0);
INSERT INTO "outbox" VALUES(146,'challenged',30,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240103',NULL,NULL,0);
INSERT INTO "outbox" VALUES(147,'started',NULL,30,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240105',NULL,NULL,0);
INSERT INTO "outbox" VALUES(148,'turn',NULL,30,1,1,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777809980000,0,1777809960000,'1499742181785600005/1500468467466240120',NULL,NULL,0);
INSERT INTO "outbox" VALUES(149,'turn',NULL,30,1,1,'discord:1499742181785600006','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777809960000,1777896780000,1,1777896660000,'1500468467466240108/1500832113623040001',NULL,'discord:1499742181785600008',0);
INSERT INTO "outbox" VALUES(150,'digest',NULL,NULL,0,NULL,'discord:1499742181785600010','["discord:1499742181785600010"]','','',1777896660000,1777896840000,1,1777896660000,'1500468467466240112/1500832113623040003','{"news": "30:0:1"}','discord:1499742181785600010',0);
INSERT INTO "outbox" VALUES(151,'turn',NULL,30,2,2,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040007',NULL,NULL,0);
INSERT INTO "outbox" VALUES(152,'turn',NULL,30,2,2,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896660000,0,NULL,NULL,NULL,'discord:1499742181785600008',0);
INSERT INTO "outbox" VALUES(153,'challenged',31,NULL,0,NULL,'discord:1499742181785600006','[]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040329',NULL,NULL,0);
INSERT INTO "outbox" VALUES(154,'challenged',32,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040360',NULL,NULL,0);
INSERT INTO "outbox" VALUES(155,'turn',NULL,15,3,3,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,NULL,NULL,NULL,NULL,0);
INSERT INTO "outbox" VALUES(156,'challenged',33,NULL,0,NULL,'discord:1499742181785600007','["discord:1499742181785600008"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,NULL,NULL,NULL,NULL,0);
INSERT INTO "outbox" VALUES(157,'challenged',34,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040382',NULL,NULL,0);
INSERT INTO "outbox" VALUES(158,'declined',34,NULL,0,NULL,'discord:1499742181785600007','["discord:1499742181785600006"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040382',NULL,NULL,0);
INSERT INTO "outbox" VALUES(159,'challenged',35,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040385',NULL,NULL,0);
INSERT INTO "outbox" VALUES(160,'withdrawn',35,NULL,0,NULL,'discord:1499742181785600006','[]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040385',NULL,NULL,0);
INSERT INTO "outbox" VALUES(161,'challenged',36,NULL,0,NULL,'discord:1499742181785600006','["discord:1499742181785600007"]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040388',NULL,NULL,0);
INSERT INTO "outbox" VALUES(162,'challenged',37,NULL,0,NULL,'discord:1499742181785600006','[]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040390',NULL,NULL,0);
INSERT INTO "outbox" VALUES(163,'challenged',38,NULL,0,NULL,'discord:1499742181785600008','[]','discord:1499742181785600003','discord:1499742181785600005',1777896660000,1777896680000,0,1777896660000,'1499742181785600005/1500832113623040392',NULL,NULL,0);
CREATE TABLE people (
	account TEXT NOT NULL, 
	name TEXT NOT NULL, 
	met_at BIGINT NOT NULL,
	CONSTRAINT pk_people PRIMARY KEY (account)
);
INSERT INTO "people" VALUES('discord:1499742181785600010','Eve',1777636800000);
INSERT INTO "people" VALUES('discord:1499742181785600007','Bob',1777636800000);
INSERT INTO "people" VALUES('discord:1499742181785600012','Grace',1777636800000);
INSERT INTO "people" VALUES('discord:1499742181785600006','Alice',1777636800000);
INSERT INTO "people" VALUES('discord:1499742181785600011','Frank',1777636800000);
INSERT INTO "people" VALUES('discord:1499742181785600008','Carol',1777636800000);
INSERT INTO "people" VALUES('discord:1499742181785600009','Dave',1777637040000);
CREATE TABLE picks (
	"match" INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	pick TEXT NOT NULL, 
	picked_at BIGINT NOT NULL,
	CONSTRAINT fk_picks_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_picks_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_picks PRIMARY KEY ("match", person)
)
 WITHOUT ROWID

;
INSERT INTO "picks" VALUES(14,'discord:1499742181785600006','LL',1777723500000);
CREATE TABLE preferences (
	account TEXT NOT NULL, 
	text TEXT NOT NULL, 
	changed_at BIGINT NOT NULL,
	CONSTRAINT fk_preferences_account FOREIGN KEY(account) REFERENCES people (account),
	CONSTRAINT pk_preferences PRIMARY KEY (account)
);
INSERT INTO "preferences" VALUES('discord:1499742181785600007','{"theme": "clear", "facing": "own", "large": false, "way": "place", "shares": [25], "hours": [], "every": 0, "quiet": "23:00-06:00", "zone": "Europe/Rome"}',1777636800000);
CREATE TABLE rating_games (
	game TEXT NOT NULL, 
	last INTEGER NOT NULL,
	CONSTRAINT pk_rating_games PRIMARY KEY (game)
)
 WITHOUT ROWID

;
INSERT INTO "rating_games" VALUES('morabaraba',1);
INSERT INTO "rating_games" VALUES('morelli',5);
INSERT INTO "rating_games" VALUES('morphos',1);
CREATE TABLE rating_steps (
	game TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	"match" INTEGER NOT NULL, 
	opponent TEXT NOT NULL, 
	score INTEGER, 
	server TEXT NOT NULL, 
	made_at BIGINT NOT NULL, 
	rating BIGINT NOT NULL, 
	deviation BIGINT NOT NULL, 
	volatility BIGINT NOT NULL,
	CONSTRAINT fk_rating_steps_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_rating_steps_opponent FOREIGN KEY(opponent) REFERENCES people (account),
	CONSTRAINT fk_rating_steps_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT fk_rating_steps_server FOREIGN KEY(server) REFERENCES servers (server),
	CONSTRAINT pk_rating_steps PRIMARY KEY (game, number, person)
)
 WITHOUT ROWID

;
INSERT INTO "rating_steps" VALUES('morabaraba',1,'discord:1499742181785600006',4,'discord:1499742181785600007',1,'discord:1499742181785600003',1777637040000,1500000000000,290230507782,59998961);
INSERT INTO "rating_steps" VALUES('morabaraba',1,'discord:1499742181785600007',4,'discord:1499742181785600006',1,'discord:1499742181785600003',1777637040000,1500000000000,290230507782,59998961);
INSERT INTO "rating_steps" VALUES('morelli',1,'discord:1499742181785600007',2,'discord:1499742181785600008',2,'discord:1499742181785600003',1777636800000,1662212001470,290230507782,59999675);
INSERT INTO "rating_steps" VALUES('morelli',1,'discord:1499742181785600008',2,'discord:1499742181785600007',0,'discord:1499742181785600003',1777636800000,1337787998530,290230507782,59999675);
INSERT INTO "rating_steps" VALUES('morelli',2,'discord:1499742181785600006',3,'discord:1499742181785600007',2,'discord:1499742181785600003',1777637040000,1731724867396,286823625741,60000365);
INSERT INTO "rating_steps" VALUES('morelli',2,'discord:1499742181785600007',3,'discord:1499742181785600006',0,'discord:1499742181785600003',1777637040000,1497621409675,256152609422,60000161);
INSERT INTO "rating_steps" VALUES('morelli',3,'discord:1499742181785600006',5,'discord:1499742181785600008',2,'discord:1499742181785600003',1777637040000,1777909486055,262170960189,59999679);
INSERT INTO "rating_steps" VALUES('morelli',3,'discord:1499742181785600008',5,'discord:1499742181785600006',0,'discord:1499742181785600003',1777637040000,1290824681036,264662520862,59998987);
INSERT INTO "rating_steps" VALUES('morelli',4,'discord:1499742181785600006',8,'discord:1499742181785600007',1,'discord:1499742181785600003',1777637040000,1709009281206,235709930229,59998952);
INSERT INTO "rating_steps" VALUES('morelli',4,'discord:1499742181785600007',8,'discord:1499742181785600006',1,'discord:1499742181785600003',1777637040000,1563020718154,231568292498,59999431);
INSERT INTO "rating_steps" VALUES('morelli',5,'discord:1499742181785600006',9,'discord:1499742181785600009',0,'discord:1499742181785600003',1777723500000,1583233347830,217386833376,59999941);
INSERT INTO "rating_steps" VALUES('morelli',5,'discord:1499742181785600009',9,'discord:1499742181785600006',2,'discord:1499742181785600003',1777723500000,1768815665569,283861713744,60000823);
INSERT INTO "rating_steps" VALUES('morphos',1,'discord:1499742181785600007',6,'discord:1499742181785600008',NULL,'discord:1499742181785600003',1777637040000,1500000000000,350000000000,60000000);
INSERT INTO "rating_steps" VALUES('morphos',1,'discord:1499742181785600008',6,'discord:1499742181785600007',NULL,'discord:1499742181785600003',1777637040000,1500000000000,350000000000,60000000);
CREATE TABLE ratings (
	person TEXT NOT NULL, 
	game TEXT NOT NULL, 
	rating BIGINT NOT NULL, 
	deviation BIGINT NOT NULL, 
	volatility BIGINT NOT NULL, 
	rated_at BIGINT NOT NULL, 
	played INTEGER NOT NULL, 
	settled_until BIGINT NOT NULL,
	CONSTRAINT fk_ratings_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_ratings PRIMARY KEY (person, game)
)
 WITHOUT ROWID

;
INSERT INTO "ratings" VALUES('discord:1499742181785600006','morabaraba',1500000000000,290230507782,59998961,1777637040000,1,0);
INSERT INTO "ratings" VALUES('discord:1499742181785600006','morelli',1583233347830,217386833376,59999941,1777723500000,4,0);
INSERT INTO "ratings" VALUES('discord:1499742181785600007','morabaraba',1500000000000,290230507782,59998961,1777637040000,1,0);
INSERT INTO "ratings" VALUES('discord:1499742181785600007','morelli',1563020718154,231568292498,59999431,1777637040000,3,0);
INSERT INTO "ratings" VALUES('discord:1499742181785600008','morelli',1290824681036,264662520862,59998987,1777637040000,2,0);
INSERT INTO "ratings" VALUES('discord:1499742181785600009','morelli',1768815665569,283861713744,60000823,1777723500000,1,0);
CREATE TABLE records (
	id INTEGER NOT NULL, 
	"by" TEXT NOT NULL, 
	server TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	text TEXT NOT NULL, 
	game TEXT NOT NULL, 
	rules_version INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	position TEXT NOT NULL, 
	made_at BIGINT NOT NULL,
	CONSTRAINT fk_records_by FOREIGN KEY("by") REFERENCES people (account),
	CONSTRAINT fk_records_server FOREIGN KEY(server) REFERENCES servers (server),
	CONSTRAINT pk_records PRIMARY KEY (id),
	CONSTRAINT uq_records_server_digest UNIQUE (server, digest)
);
INSERT INTO "records" VALUES(1,'discord:1499742181785600006','discord:1499742181785600003','344dcbdecbd2c27d0523ab5c0304146bd59b18ed1e54c21c57b66a0d50d535bc','[Game "morelli"]
[Rules "1"]
[Options "edition=nestor size=9 setup=facing seed=7"]
[Black "Ann"]
[White "Ben"]
[Began "2026-04-30T18:00:00Z"]
[Result "*"]

1. C1-D2 {A quiet start.}
2. A2-B3
*
','morelli',1,'{"edition": "nestor", "seed": 7, "setup": "facing", "size": 9}','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/ww6w/3b4w/bb1bbbbbw b -',1777723500000);
CREATE TABLE server_settings (
	server TEXT NOT NULL, 
	text TEXT NOT NULL, 
	"by" TEXT NOT NULL, 
	changed_at BIGINT NOT NULL,
	CONSTRAINT fk_server_settings_by FOREIGN KEY("by") REFERENCES people (account),
	CONSTRAINT fk_server_settings_server FOREIGN KEY(server) REFERENCES servers (server),
	CONSTRAINT pk_server_settings PRIMARY KEY (server)
);
INSERT INTO "server_settings" VALUES('discord:1499742181785600003','{"threads": false, "game": "morelli", "pace": "none"}','discord:1499742181785600010',1777637040000);
CREATE TABLE servers (
	server TEXT NOT NULL, 
	met_at BIGINT NOT NULL,
	CONSTRAINT pk_servers PRIMARY KEY (server)
);
INSERT INTO "servers" VALUES('discord:1499742181785600003',1777636800000);
CREATE TABLE service (
	id INTEGER NOT NULL, 
	beat_at BIGINT NOT NULL, 
	lost BIGINT DEFAULT '0' NOT NULL,
	CONSTRAINT ck_service_one_row CHECK (id = 1),
	CONSTRAINT pk_service PRIMARY KEY (id)
);
INSERT INTO "service" VALUES(1,1777896660000,0);
CREATE TABLE sketches (
	id INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	text TEXT NOT NULL, 
	made_at BIGINT NOT NULL,
	CONSTRAINT fk_sketches_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_sketches PRIMARY KEY (id),
	CONSTRAINT uq_sketches_person_digest UNIQUE (person, digest)
);
INSERT INTO "sketches" VALUES(1,'discord:1499742181785600006','b1249564895508045a43368c0b61d8180d62eda3af26dfea682f92f6a8d8c49e','A1-B2.A2-B3.B1-C2.A3-B4.B2-C3.A4-B5.B9-B6.A6-B7.C1-B2.A7-B8.C2-D3.B3-C4.C9-C5.B5-C6.C4-D5.B4-C4.D3-E4.B6-C7.D9-C8.C5-D6.C8-D7.I1-F4.D7-E6.I2-C2',1777896660000);
CREATE TABLE takebacks (
	"match" INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	"by" TEXT NOT NULL, 
	made_at BIGINT NOT NULL,
	CONSTRAINT fk_takebacks_by FOREIGN KEY("by") REFERENCES people (account),
	CONSTRAINT fk_takebacks_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT pk_takebacks PRIMARY KEY ("match", number)
)
 WITHOUT ROWID

;
INSERT INTO "takebacks" VALUES(10,1,0,'discord:1499742181785600006',1777723500000);
CREATE TABLE taken_moves (
	"match" INTEGER NOT NULL, 
	takeback INTEGER NOT NULL, 
	ply INTEGER NOT NULL, 
	turn INTEGER NOT NULL, 
	side TEXT NOT NULL, 
	person TEXT NOT NULL, 
	text TEXT NOT NULL, 
	position TEXT NOT NULL, 
	played_at BIGINT NOT NULL,
	CONSTRAINT fk_taken_moves_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT fk_taken_moves_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_taken_moves PRIMARY KEY ("match", takeback, ply)
)
 WITHOUT ROWID

;
INSERT INTO "taken_moves" VALUES(10,1,1,1,'black','discord:1499742181785600006','C1-D2','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/w7w/w2b4w/bb1bbbbbw w -',1777723500000);
INSERT INTO "taken_moves" VALUES(10,1,2,2,'white','discord:1499742181785600007','A2-B3','morelli nestor wbbbbbbbb/w7w/w7w/w7w/w7w/w7w/ww6w/3b4w/bb1bbbbbw b -',1777723500000);
CREATE TABLE threads (
	place TEXT NOT NULL, 
	server TEXT NOT NULL, 
	parent TEXT NOT NULL, 
	opened_at BIGINT NOT NULL, 
	archived_at BIGINT,
	CONSTRAINT fk_threads_server FOREIGN KEY(server) REFERENCES servers (server),
	CONSTRAINT pk_threads PRIMARY KEY (place)
);
INSERT INTO "threads" VALUES('discord:1499742181785600107','discord:1499742181785600003','discord:1499742181785600005',1777636800000,NULL);
INSERT INTO "threads" VALUES('discord:1499742181785600116','discord:1499742181785600003','discord:1499742181785600005',1777636800000,1777636920000);
CREATE TABLE tidied (
	"match" INTEGER NOT NULL, 
	announcement BIGINT NOT NULL,
	CONSTRAINT fk_tidied_match FOREIGN KEY("match") REFERENCES matches (id),
	CONSTRAINT pk_tidied PRIMARY KEY ("match")
);
INSERT INTO "tidied" VALUES(1,2);
INSERT INTO "tidied" VALUES(2,7);
CREATE TABLE vacations (
	id INTEGER NOT NULL, 
	person TEXT NOT NULL, 
	began_at BIGINT NOT NULL, 
	ends_at BIGINT NOT NULL, 
	ended_at BIGINT,
	CONSTRAINT fk_vacations_person FOREIGN KEY(person) REFERENCES people (account),
	CONSTRAINT pk_vacations PRIMARY KEY (id)
);
INSERT INTO "vacations" VALUES(1,'discord:1499742181785600008',1777809960000,1780401960000,NULL);
CREATE INDEX ix_challenges_by ON challenges ("by", state);
CREATE INDEX ix_challenges_rematch_of ON challenges (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX ix_challenges_state ON challenges (state, lapses_at);
CREATE INDEX ix_challenges_to ON challenges ("to", state);
CREATE INDEX ix_conditionals_due_at ON conditionals (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ix_corrections_match ON corrections ("match", id);
CREATE INDEX ix_follows_due_at ON follows (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ix_follows_person ON follows (person);
CREATE INDEX ix_matches_deadline ON matches (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX ix_matches_first ON matches (first, state);
CREATE INDEX ix_matches_place ON matches (place, id);
CREATE INDEX ix_matches_remind_at ON matches (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX ix_matches_second ON matches (second, state);
CREATE INDEX ix_matches_server ON matches (server, id);
CREATE INDEX ix_matches_state ON matches (state, changed_at);
CREATE INDEX ix_offers_match ON offers ("match", ply);
CREATE INDEX ix_outbox_challenge ON outbox (challenge, id) WHERE challenge IS NOT NULL;
CREATE INDEX ix_outbox_due ON outbox (due_at) WHERE sent_at IS NULL;
CREATE INDEX ix_outbox_match ON outbox ("match", id);
CREATE INDEX ix_rating_steps_match ON rating_steps ("match");
CREATE INDEX ix_rating_steps_person ON rating_steps (person, game, number);
CREATE INDEX ix_rating_steps_server ON rating_steps (server, game, person);
CREATE INDEX ix_ratings_game ON ratings (game, rating);
CREATE INDEX ix_records_by ON records ("by", made_at);
CREATE INDEX ix_threads_open ON threads (place) WHERE archived_at IS NULL;
CREATE INDEX ix_vacations_person ON vacations (person, began_at);
CREATE UNIQUE INDEX ix_vacations_under_way ON vacations (person) WHERE ended_at IS NULL;
COMMIT;

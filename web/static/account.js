// The page of the account: when its sessions began and were used, in the visitor's time zone.
import { formatTimes } from "./times.js";

formatTimes();

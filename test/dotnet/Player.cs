// Plays the client for .NET: reads one command a line from standard input, and prints one line for each.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

public static class Player
{
    public static void Main(string[] args)
    {
        var problems = new List<object>();
        var client = new Gamekeeper.Client(new Gamekeeper.Options
        {
            Url = args[0], Key = args[1], Environment = "production", Folder = args[2], FlushSeconds = double.Parse(args[4], CultureInfo.InvariantCulture),
            MostWaiting = int.Parse(args[3]), OnProblem = (kind, message) => { lock (problems) problems.Add(kind + ": " + message); }
        });
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var command = (Dictionary<string, object>)Gamekeeper.Json.Read(line);
            Func<string, object> field = name => command.ContainsKey(name) ? command[name] : null;
            var values = field("properties") as Dictionary<string, object>;
            if (values != null && values.ContainsKey("odd")) values["odd"] = double.NaN;
            object told = null;
            if ((string)field("do") == "track") told = client.Track((string)field("name"), (string)field("player"), values);
            if ((string)field("do") == "flush") client.FlushAsync().Wait();
            if ((string)field("do") == "wait") while (File.ReadAllText(Path.Combine(args[2], "markers.jsonl")) != "") Thread.Sleep(20);
            if ((string)field("do") == "configuration")
                told = client.ConfigurationAsync((string)field("name"), (Dictionary<string, object>)field("defaults"), (string)field("player"), values).Result;
            lock (problems)
            {
                Console.WriteLine(Gamekeeper.Json.Write(new Dictionary<string, object> { ["told"] = told, ["problems"] = problems.ToList() }));
                problems.Clear();
            }
        }
    }
}
